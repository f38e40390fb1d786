// The state of the page's application at an error, for users who switched that on.

import { field, keysOf, quietly } from 'gasoline-capture/components/read';
import { STATE_MILLIS, STATE_RECENT_MILLIS } from 'gasoline-capture/limits.gen';
import type { ReactSnapshot } from 'gasoline-capture/react-snapshot';
import { type StateSnapshot, summarize } from './state-summary';
import { findStores, type Store, unref } from './stores';

export type { StateSnapshot };

/** After this time without a request, listening ends. */
const LISTEN_MILLIS = 300_000;

/**
 * Paths that changed, with the time. Recorded only from the first error on: before it, this script is not in the page.
 */
const changes = new Map<string, number>();
const CHANGES = 200;
const subscribed = new Set<unknown>();
let askedAt = 0;

export function snapshot(reactSnapshot: ReactSnapshot, message: string): StateSnapshot | undefined {
  askedAt = performance.now();
  const until = askedAt + STATE_MILLIS;
  const stores = findStores(reactSnapshot, until);
  // Only one kind of store is reported, the one whose stores are the application's own state.
  const source = stores[0]?.source;
  const same = stores.filter((store) => store.source === source);
  if (source === undefined) return undefined;
  const single = same.length === 1 && source !== 'svelte';
  const states = same.map((store): [string, unknown] => [store.name, quietly(store.read)]);
  const state = single ? states[0]?.[1] : Object.fromEntries(states);
  for (const store of same) listen(store, single ? '' : `${store.name}.`);
  if (performance.now() > until) return undefined;
  const recent = new Set([...changes].filter(([, at]) => askedAt - at < STATE_RECENT_MILLIS).map(([path]) => path));
  return summarize(source, state, message, recent, source === 'pinia' ? unref : undefined);
}

function listen(store: Store, prefix: string): void {
  const key = `${store.source} ${prefix}`;
  if (subscribed.has(key)) return;
  subscribed.add(key);
  let last = quietly(store.read);
  let stop: unknown;
  stop = quietly(() =>
    store.subscribe(() => {
      if (performance.now() - askedAt > LISTEN_MILLIS) {
        subscribed.delete(key);
        if (typeof stop === 'function') quietly(stop as () => void);
        return;
      }
      const next = quietly(store.read);
      note(last, next, prefix);
      last = next;
    }),
  );
}

/** Compares by identity, two levels deep, as the stores' own subscribers do. */
function note(before: unknown, after: unknown, prefix: string, depth = 1): void {
  for (const key of keysOf(after, 50)) {
    const [was, is] = [field(before, key), field(after, key)];
    if (Object.is(was, is)) continue;
    if (depth < 2 && typeof is === 'object' && is !== null) note(was, is, `${prefix}${key}.`, depth + 1);
    else {
      // Moves it to the end of the list: the latest change is last.
      changes.delete(prefix + key);
      changes.set(prefix + key, performance.now());
      for (const oldest of changes.keys()) if (changes.size > CHANGES) changes.delete(oldest);
    }
  }
}
