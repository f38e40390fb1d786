// The stores that hold a page's state, as far as they can be reached from its window or its components.

import { elements, field, isObject, keysOf } from 'gasoline-capture/components/read';
import type { ReactSnapshot } from 'gasoline-capture/react-snapshot';

export interface Store {
  source: 'redux' | 'zustand' | 'pinia' | 'svelte';
  name: string;
  read(): unknown;
  /** Returns a function that stops listening. */
  subscribe(listener: () => void): unknown;
}

/** At most this many names of the window are checked; applications add hundreds. */
const WINDOW_NAMES = 3_000;

export function findStores(reactSnapshot: ReactSnapshot, until: number): Store[] {
  const found = new Map<unknown, Store>();
  const consider = (name: string, value: unknown) => {
    if (!isObject(value) || found.has(value)) return;
    const store = asStore(name, value);
    if (store) found.set(value, store);
  };
  // Only enumerable names: the browser creates its own classes on first access, and there are a thousand.
  for (const name of Object.keys(window).slice(0, WINDOW_NAMES)) {
    if (performance.now() > until) break;
    if (!/^\d/.test(name)) consider(name, field(window, name));
  }
  // The store that was passed to react-redux's Provider.
  const [components] = reactSnapshot;
  for (let index = 2; index < components.length && performance.now() < until; index += 4) {
    consider('store', field(components[index], 'store'));
  }
  for (const [name, store] of Object.entries(fieldsOf(field(window, '__svelte_stores')))) {
    if (isObject(store) && typeof field(store, 'subscribe') === 'function') found.set(store, svelteStore(name, store));
  }
  const pinia = field(window, '__pinia') ?? piniaOfApp(until);
  if (isObject(pinia)) found.set(pinia, piniaStore(pinia));
  return [...found.values()];
}

function asStore(name: string, value: object): Store | undefined {
  const { getState, dispatch, setState, subscribe } = fieldsOf(value);
  if (typeof getState !== 'function' || typeof subscribe !== 'function') return undefined;
  const source = typeof dispatch === 'function' ? 'redux' : typeof setState === 'function' ? 'zustand' : undefined;
  if (!source) return undefined;
  return {
    source,
    name,
    read: () => Reflect.apply(getState, value, []),
    subscribe: (listener) => Reflect.apply(subscribe, value, [listener]),
  };
}

type Fields = Record<string, unknown>;

function fieldsOf(object: unknown): Fields {
  return Object.fromEntries(keysOf(object, 100).map((key) => [key, field(object, key)]));
}

function svelteStore(name: string, store: object): Store {
  const subscribe = (listener: (value: unknown) => void) =>
    Reflect.apply(field(store, 'subscribe') as (listener: (value: unknown) => void) => unknown, store, [listener]);
  return {
    source: 'svelte',
    name,
    read() {
      let latest: unknown;
      const stop = subscribe((value) => {
        latest = value;
      });
      if (typeof stop === 'function') stop();
      return latest;
    },
    subscribe,
  };
}

function piniaOfApp(until: number): unknown {
  for (const element of elements(until)) {
    const context = field(field(element, '__vue_app__'), '_context');
    const properties = field(field(context, 'config'), 'globalProperties');
    const pinia = field(properties, '$pinia');
    if (pinia) return pinia;
  }
  return undefined;
}

/** All of Pinia's stores are in one tree, which is a ref. */
function piniaStore(pinia: object): Store {
  return {
    source: 'pinia',
    name: 'pinia',
    read: () => unref(field(pinia, 'state')),
    subscribe: () => undefined,
  };
}

/** Reads the content of one of Vue's refs or proxies without being tracked as a reader. */
export function unref(value: unknown): unknown {
  if (!isObject(value)) return value;
  const inner = field(value, '__v_isRef') === true ? (field(value, '_rawValue') ?? field(value, '_value')) : value;
  if (!isObject(inner)) return inner;
  return (inner as { __v_raw?: unknown }).__v_raw ?? inner;
}
