// `chrome.storage.session`, typed: what must outlive the worker but not the browser.

export async function readAll(): Promise<Record<string, unknown>> {
  const all = await chrome.storage.session.get(null);
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** Writes and removals, one after the other: a later state never overtakes an earlier one. */
let chain: Promise<unknown> = Promise.resolve();

export function write(items: Record<string, unknown>, remove: string[] = []): Promise<void> {
  const gone = remove.filter((key) => !(key in items));
  const done = chain.then(async () => {
    // One write is all or nothing, two are not: what goes is emptied together with what comes, then swept away.
    await chrome.storage.session.set({ ...items, ...Object.fromEntries(gone.map((key) => [key, null])) });
    if (gone.length > 0) await chrome.storage.session.remove(gone);
  });
  chain = done.catch(() => {});
  return done;
}
