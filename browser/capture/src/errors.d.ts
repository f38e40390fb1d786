import type { Core } from './core';
/** Returns a function that listens again: `document.open` takes all listeners away. */
export declare function installErrors(core: Core): () => void;
