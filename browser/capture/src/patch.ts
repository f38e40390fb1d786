// Wraps what the page uses so that the page can't tell: a Proxy keeps name, length, statics, prototype and `instanceof`;
// `toString` is answered with the native's text.

import { define, ownProperty, reflect } from './natives';
import { withoutUs } from './stack';

type AnyFunction = (...args: never[]) => unknown;
type Owner = object;

const nativeOf = new WeakMap<object, object>();
const patches: Array<{ owner: Owner; name: PropertyKey; wrapper: unknown; native: unknown }> = [];

/**
 * Replaces `owner[name]` by a proxy with the given traps, keeping the property's own flags. What can't be replaced is
 * left alone: capture is then missing there, and the page still works.
 */
export function patch(owner: Owner, name: PropertyKey, traps: ProxyHandler<AnyFunction>): void {
  const descriptor = ownProperty(owner, name);
  const native = descriptor?.value;
  if (!descriptor?.configurable || typeof native !== 'function') return;
  const wrapper = wrap(native as AnyFunction, traps);
  define(owner, name, { ...descriptor, value: wrapper });
  patches.push({ owner, name, wrapper, native });
}

/** A proxy that passes for the function it wraps. */
function wrap(native: AnyFunction, traps: ProxyHandler<AnyFunction>): AnyFunction {
  const wrapper = new Proxy(native, guarded(traps));
  nativeOf.set(wrapper, native);
  return wrapper;
}

/** What a native throws on our call must look as if the page had called it. */
function guarded(traps: ProxyHandler<AnyFunction>): ProxyHandler<AnyFunction> {
  const guard = <A extends unknown[], R>(trap: (...args: A) => R) => {
    return (...args: A): R => {
      try {
        return trap(...args);
      } catch (error) {
        throw withoutUs(error);
      }
    };
  };
  const { apply, construct } = traps;
  return { ...(apply && { apply: guard(apply) }), ...(construct && { construct: guard(construct) }) };
}

/** Puts the natives back wherever nobody wrapped ours again. */
export function unpatchAll(): void {
  for (const { owner, name, wrapper, native } of patches.splice(0)) {
    const descriptor = ownProperty(owner, name);
    if (descriptor?.value === wrapper) define(owner, name, { ...descriptor, value: native });
  }
}

/** Patches a constructor, and `prototype.constructor` with it, so that both stay the same thing. */
export function patchConstructor(
  owner: Owner,
  name: PropertyKey,
  created: (instance: object, args: unknown[]) => void,
): void {
  patch(owner, name, {
    construct(target, args, newTarget) {
      const instance = reflect.construct(target, args, newTarget) as object;
      created(instance, args);
      return instance;
    },
  });
  const wrapper = (owner as Record<PropertyKey, { prototype?: object }>)[name];
  const prototype = wrapper?.prototype;
  const descriptor = prototype && ownProperty(prototype, 'constructor');
  if (!prototype || !descriptor || descriptor.value !== nativeOf.get(wrapper as object)) return;
  define(prototype, 'constructor', { ...descriptor, value: wrapper });
  patches.push({ owner: prototype, name: 'constructor', wrapper, native: descriptor.value });
}

/** Makes `fetch.toString()` and its like say what they always said. */
export function hideWrappers(): void {
  patch(Function.prototype, 'toString', {
    apply: (target, self: object, args) => reflect.apply(target, nativeOf.get(self) ?? self, args),
  });
}
