// `chrome.storage.session`, typed: data that must outlive the worker but not the browser.

export async function readAll(): Promise<Record<string, unknown>> {
  const all = await chrome.storage.session.get(null);
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** Writes and removals run one after the other, so that a later state never overtakes an earlier one. */
let chain: Promise<unknown> = Promise.resolve();

export function write(items: Record<string, unknown>, remove: string[] = []): Promise<void> {
  const gone = remove.filter((key) => !(key in items));
  const done = chain.then(async () => {
    // One write is atomic, two are not: old items are emptied in the same write as new ones are set, and removed
    // afterwards.
    await chrome.storage.session.set({ ...items, ...Object.fromEntries(gone.map((key) => [key, null])) });
    if (gone.length > 0) await chrome.storage.session.remove(gone);
  });
  chain = done.catch(() => {});
  return done;
}
