import type { Core } from './core';
export declare function installConsole(core: Core): void;
/** The line a console would show: format directives filled in, styles left out, the rest joined. */
export declare function format(args: unknown[], values: unknown[]): string;
