import type { Core } from './core';
export declare function installWebSocket(core: Core): void;
