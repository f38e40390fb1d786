export declare const reflect: {
    apply: typeof Reflect.apply;
    construct: typeof Reflect.construct;
    ownKeys: typeof Reflect.ownKeys;
};
export declare const ownProperty: typeof Reflect.getOwnPropertyDescriptor;
export declare const define: <T>(o: T, p: PropertyKey, attributes: PropertyDescriptor & ThisType<any>) => T;
export declare const remove: typeof Reflect.deleteProperty;
export declare const stringify: (value: unknown) => string;
export declare const parse: (text: string) => unknown;
export declare const nowMillis: () => number;
export declare const setTimer: (work: () => void, millis: number) => number;
export declare const clearTimer: (timer: number) => void;
export declare const clock: () => number;
/** Runs when the page has nothing to do, or after `timeout` at the latest. */
export declare function whenIdle(work: () => void, timeout: number): void;
/** The browser's promise, whatever the page puts in its place. */
export declare const NativePromise: PromiseConstructor;
/** `promise.then` whatever the page did to it. */
export declare function after<T, R>(promise: Promise<T>, done: (value: T) => R, failed: (reason: unknown) => R): Promise<R>;
export declare function listen<E extends Event>(target: EventTarget, type: string, listener: (event: E) => void, options?: AddEventListenerOptions | boolean): void;
/** Random enough to tell pages, connections and entries apart; `crypto.randomUUID` is missing on plain http. */
export declare function randomId(): string;
