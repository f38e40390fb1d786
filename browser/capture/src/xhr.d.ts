import type { Core } from './core';
export declare function installXhr(core: Core): void;
