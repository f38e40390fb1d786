// Wraps the page's functions so that the page cannot tell. A Proxy keeps name, length, statics, prototype and
// `instanceof`; `toString` returns the native's text.

import { attempt, define, lookUp, ownProperty, reflect } from './natives';
import { withoutUs } from './stack';

type AnyFunction = (...args: never[]) => unknown;
type Owner = object;

const { captureStackTrace: captureStack } = Error as { captureStackTrace?: (of: object, below: unknown) => void };
const nativeOf = new WeakMap<object, object>();
const patches: Array<{ owner: Owner; name: PropertyKey; wrapper: unknown; native: unknown }> = [];

/** The work around a call of the page's. None of it can break the call: see `attempt`. */
// biome-ignore lint/suspicious/noExplicitAny: each of the browser's functions has its own
export interface Around<S = any, A = any, R = any> {
  /** Runs before the call; its result is passed to `returned`. */
  called?(self: S, args: A): unknown;
  /** Runs after a call that did not throw. If it returns a value, the page gets that instead of the result. */
  returned?(result: R, self: S, args: A, noted: never): unknown;
  /** The object that `self` stands for. */
  meant?(self: S): S;
}

/**
 * Replaces `owner[name]` by a proxy that does our work around each call, and keeps the property's flags. A property
 * that cannot be replaced is left alone: capture is then missing there, and the page still works.
 */
export function patch(owner: Owner, name: PropertyKey, around: Around): void {
  patchWith(owner, name, {
    apply: (target, self, args) =>
      call(around, self, args, () => reflect.apply(target, around.meant ? around.meant(self) : self, args)),
  });
}

function patchWith(owner: Owner, name: PropertyKey, traps: ProxyHandler<AnyFunction>): void {
  const descriptor = ownProperty(owner, name);
  const native = descriptor?.value;
  if (!descriptor?.configurable || typeof native !== 'function') return;
  // Without a prototype; otherwise a page's `Object.prototype.get` would act as a trap.
  const wrapper = new Proxy(native as AnyFunction, { __proto__: null, ...traps } as ProxyHandler<AnyFunction>);
  nativeOf.set(wrapper, native);
  define(owner, name, { ...descriptor, value: wrapper });
  patches.push({ owner, name, wrapper, native });
}

function call(around: Around, self: unknown, args: unknown, native: () => unknown): unknown {
  const noted = attempt(() => around.called?.(self, args));
  let result: unknown;
  try {
    result = native();
  } catch (error) {
    // An error that a native throws on our call must look as if the page had called it.
    throw withoutUs(error);
  }
  return attempt(() => around.returned?.(result, self, args, noted as never)) ?? result;
}

/**
 * The caller, to be formatted later. Our own frames are left out of the stack, of which a browser keeps only ten lines.
 */
export function noteCaller(): Error {
  if (!captureStack) return new Error();
  const noted = { name: 'Error', message: '' };
  reflect.apply(captureStack, Error, [noted, call]);
  return noted;
}

/** Restores the natives, except where other code has wrapped our wrapper. */
export function unpatchAll(): void {
  for (const { owner, name, wrapper, native } of patches.splice(0)) {
    const descriptor = ownProperty(owner, name);
    if (descriptor?.value === wrapper) define(owner, name, { ...descriptor, value: native });
  }
}

/** Patches a constructor, and `prototype.constructor` with it, so that both stay identical. */
export function patchConstructor(
  owner: Owner,
  name: PropertyKey,
  created: (instance: object, args: unknown[]) => void,
): void {
  const around: Around = { returned: (instance: object, _, args: unknown[]) => created(instance, args) };
  patchWith(owner, name, {
    construct: (target, args, newTarget) =>
      call(around, undefined, args, () => reflect.construct(target, args, newTarget)) as object,
  });
  const wrapper = (owner as Record<PropertyKey, { prototype?: object }>)[name];
  const prototype = wrapper?.prototype;
  const descriptor = prototype && ownProperty(prototype, 'constructor');
  if (!prototype || !descriptor || descriptor.value !== nativeOf.get(wrapper as object)) return;
  define(prototype, 'constructor', { ...descriptor, value: wrapper });
  patches.push({ owner: prototype, name: 'constructor', wrapper, native: descriptor.value });
}

/** Makes `fetch.toString()` and the like return the native text. */
export function hideWrappers(): void {
  patch(Function.prototype, 'toString', { meant: (self: object) => lookUp(nativeOf, self) ?? self });
}
