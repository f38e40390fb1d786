// `chrome.storage.session`, typed: what must outlive the worker but not the browser.

export async function readAll(): Promise<Record<string, unknown>> {
  return chrome.storage.session.get(null);
}

/** Writes and removals, one after the other: a later state never overtakes an earlier one. */
let chain: Promise<unknown> = Promise.resolve();

export function write(items: Record<string, unknown>, remove: string[] = []): Promise<void> {
  const done = chain.then(async () => {
    await chrome.storage.session.set(items);
    if (remove.length > 0) await chrome.storage.session.remove(remove);
  });
  chain = done.catch(() => {});
  return done;
}
