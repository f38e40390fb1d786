// The browser's own functions, taken at document start. Pages replace timers, JSON and the rest: such replacements must
// not see our traffic, and we must not fail because of them.

const { apply, construct, ownKeys } = Reflect;
export const reflect = { apply, construct, ownKeys };

/** Runs work of ours and catches its failure. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/**
 * The guard of every entry into our code: every callback for the browser (timers, listeners, observers, promises) is
 * wrapped by this function, so that none of our exceptions reaches the page. Pages replace functions that we call with
 * some that throw.
 */
export function guarded<A, R>(work: (argument: A) => R): (argument: A) => R | undefined {
  return (argument) => attempt(() => work(argument));
}

const { get: getWeak } = WeakMap.prototype;
/** `map.get(key)`, even if the page replaced that method. */
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
// `PURE`: removed from bundles that do not use it.
export const clearTimer: (timer: number) => void = /* @__PURE__ */ clearTimeout.bind(globalThis);
export const clock: () => number = performance.now.bind(performance);

const idle = /* @__PURE__ */ globalThis.requestIdleCallback?.bind(globalThis);
/** Runs when the page is idle, or after `timeout` at the latest. */
export function whenIdle(work: () => void, timeout: number): void {
  if (idle) idle(guarded(work), { timeout });
  else setTimer(work, 0);
}

const microtask = /* @__PURE__ */ queueMicrotask.bind(globalThis);
export const soon = (work: () => void): void => microtask(guarded(work) as () => void);

/** The browser's promise, even if the page replaces the global one. */
export const NativePromise = Promise;
const { then } = Promise.prototype;
/**
 * `promise.then`, even if the page replaced it. The result never rejects: the page would see that rejection as
 * unhandled.
 */
export function after<T>(promise: Promise<T>, done: (value: T) => void, failed: (reason: unknown) => void): void {
  attempt(() => apply(then, promise, [guarded(done), guarded(failed)]));
}

/**
 * The promise that the page gets instead of the browser's: it settles in the same way. `failed` may give another
 * reason. Listening to the original on the side would mark a rejection as handled.
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
/** Keeps the event from all other listeners. */
export const stopEvent = (event: Event): void => apply(stopImmediatePropagation, event, []);

const { addEventListener } = EventTarget.prototype;
/** The guarded form of a listener is stored on it, so that adding it twice does not register it twice. */
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

/** Random enough to distinguish pages, connections and entries; `crypto.randomUUID` is missing on plain http. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join('');
}

/** Shorter than the operator, which some fifty places would repeat in the page. */
export function isA<T>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  return value instanceof (type as never);
}

/** Shorter than the method's name, which some twenty places would repeat in the page. */
export function attribute(element: Element, name: string): string | null {
  return element.getAttribute(name);
}
