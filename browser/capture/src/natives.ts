// The browser's own functions, taken at document start: pages replace timers, JSON and the rest, and our traffic must
// neither be seen by such replacements nor break on them.

const { apply, construct, ownKeys } = Reflect;
export const reflect = { apply, construct, ownKeys };

/** Runs work of ours; its failure goes no further. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/**
 * The guard of every way into our code: what the browser calls (timers, listeners, observers, promises) is made by this,
 * so that no exception of ours gets out. Pages replace what we call by what throws.
 */
export function guarded<A, R>(work: (argument: A) => R): (argument: A) => R | undefined {
  return (argument) => attempt(() => work(argument));
}

const { get: getWeak } = WeakMap.prototype;
/** `map.get(key)` whatever the page did to it. */
export function lookUp<K extends WeakKey, V>(map: WeakMap<K, V>, key: K): V | undefined {
  return apply(getWeak, map, [key]);
}
export const ownProperty = Reflect.getOwnPropertyDescriptor;
export const define = Object.defineProperty;
export const remove = Reflect.deleteProperty;

export const stringify: (value: unknown) => string = JSON.stringify;
export const parse: (text: string) => unknown = JSON.parse;
export const nowMillis: () => number = Date.now;
const timeout = setTimeout.bind(globalThis);
export const setTimer = (work: () => void, millis: number): number => timeout(guarded(work), millis) as never;
// `PURE`: left out of bundles that have no use for it.
export const clearTimer: (timer: number) => void = /* @__PURE__ */ clearTimeout.bind(globalThis);
export const clock: () => number = performance.now.bind(performance);

const idle = /* @__PURE__ */ globalThis.requestIdleCallback?.bind(globalThis);
/** Runs when the page has nothing to do, or after `timeout` at the latest. */
export function whenIdle(work: () => void, timeout: number): void {
  if (idle) idle(guarded(work), { timeout });
  else setTimer(work, 0);
}

const microtask = /* @__PURE__ */ queueMicrotask.bind(globalThis);
export const soon = (work: () => void): void => microtask(guarded(work) as () => void);

/** The browser's promise, whatever the page puts in its place. */
export const NativePromise = Promise;
const { then } = Promise.prototype;
/** `promise.then` whatever the page did to it. What it returns never rejects: nobody would hear, and the page would. */
export function after<T>(promise: Promise<T>, done: (value: T) => void, failed: (reason: unknown) => void): void {
  attempt(() => apply(then, promise, [guarded(done), guarded(failed)]));
}

/**
 * The promise behind ours, for the page: it comes to the same end. `failed` may give another reason. Listening on the
 * side instead would mark a rejection as handled.
 */
export function handOn<T>(
  promise: Promise<T>,
  done: (value: T) => void,
  failed: (reason: unknown) => unknown,
): Promise<T> {
  const through = (value: T) => {
    attempt(() => done(value));
    return value;
  };
  const again = (reason: unknown) => {
    throw attempt(() => failed(reason)) ?? reason;
  };
  return attempt(() => apply(then, promise, [through, again]) as Promise<T>) ?? promise;
}

const { stopImmediatePropagation } = Event.prototype;
/** Nobody further hears of the event. */
export const stopEvent = (event: Event): void => apply(stopImmediatePropagation, event, []);

const { addEventListener } = EventTarget.prototype;
/** The guarded form of a listener stays with it: adding it again must not add another. */
const GUARDED = Symbol();
export function listen<E extends Event>(
  target: EventTarget,
  type: string,
  listener: ((event: E) => void) & { [GUARDED]?: (event: E) => void },
  options: AddEventListenerOptions | boolean = false,
): void {
  listener[GUARDED] ??= guarded(listener);
  apply(addEventListener, target, [type, listener[GUARDED], options]);
}

/** Random enough to tell pages, connections and entries apart; `crypto.randomUUID` is missing on plain http. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join('');
}

/** Shorter than the operator, which four dozen places would repeat in the page. */
export function isA<T>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  return value instanceof (type as never);
}

/** Shorter than the method's name, which two dozen places would repeat in the page. */
export function attribute(element: Element, name: string): string | null {
  return element.getAttribute(name);
}
