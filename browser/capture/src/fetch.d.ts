import type { Core } from './core';
export declare function installFetch(core: Core): void;
