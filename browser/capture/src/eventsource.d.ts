import type { Core } from './core';
export declare function installEventSource(core: Core): void;
