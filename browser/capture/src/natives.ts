// The browser's own functions, taken at document start: pages replace timers, JSON and the rest, and our traffic must
// neither be seen by such replacements nor break on them.

const { apply, construct, ownKeys } = Reflect;
export const reflect = { apply, construct, ownKeys };
export const ownProperty = Reflect.getOwnPropertyDescriptor;
export const define = Object.defineProperty;
export const remove = Reflect.deleteProperty;

export const stringify: (value: unknown) => string = JSON.stringify;
export const parse: (text: string) => unknown = JSON.parse;
export const nowMillis: () => number = Date.now;
export const setTimer: (work: () => void, millis: number) => number = setTimeout.bind(globalThis) as never;
// `PURE`: left out of bundles that have no use for it.
export const clearTimer: (timer: number) => void = /* @__PURE__ */ clearTimeout.bind(globalThis);
export const clock: () => number = performance.now.bind(performance);

const idle = /* @__PURE__ */ globalThis.requestIdleCallback?.bind(globalThis);
/** Runs when the page has nothing to do, or after `timeout` at the latest. */
export function whenIdle(work: () => void, timeout: number): void {
  if (idle) idle(work, { timeout });
  else setTimer(work, 0);
}

/** The browser's promise, whatever the page puts in its place. */
export const NativePromise = Promise;
const { then } = Promise.prototype;
/** `promise.then` whatever the page did to it. */
export function after<T, R>(promise: Promise<T>, done: (value: T) => R, failed: (reason: unknown) => R): Promise<R> {
  return apply(then, promise, [done, failed]) as Promise<R>;
}

const { stopImmediatePropagation } = Event.prototype;
/** Nobody further hears of the event. */
export const stopEvent = (event: Event): void => apply(stopImmediatePropagation, event, []);

const { addEventListener } = EventTarget.prototype;
export function listen<E extends Event>(
  target: EventTarget,
  type: string,
  listener: (event: E) => void,
  options: AddEventListenerOptions | boolean = false,
): void {
  apply(addEventListener, target, [type, listener, options]);
}

/** Random enough to tell pages, connections and entries apart; `crypto.randomUUID` is missing on plain http. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join('');
}
