import type { Host } from './core';
/** The Navigation API tells of them without any wrapping; where it is missing, `history` has to be wrapped. */
export declare function watchRoutes(host: Host, changed: (from: string, to: string) => void): void;
