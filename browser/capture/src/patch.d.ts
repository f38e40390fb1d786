type AnyFunction = (...args: never[]) => unknown;
type Owner = object;
/**
 * Replaces `owner[name]` by a proxy with the given traps, keeping the property's own flags. What can't be replaced is
 * left alone: capture is then missing there, and the page still works.
 */
export declare function patch(owner: Owner, name: PropertyKey, traps: ProxyHandler<AnyFunction>): void;
/** Puts the natives back wherever nobody wrapped ours again. */
export declare function unpatchAll(): void;
/** Patches a constructor, and `prototype.constructor` with it, so that both stay the same thing. */
export declare function patchConstructor(owner: Owner, name: PropertyKey, created: (instance: object, args: unknown[]) => void): void;
/** Makes `fetch.toString()` and its like say what they always said. */
export declare function hideWrappers(): void;
export {};
