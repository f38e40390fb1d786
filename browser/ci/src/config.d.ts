export declare const CONFIG_NAME = "__GASOLINE_CI__";
/** Every field may be left out. */
export interface CiConfig {
    /** A name of this machine: what is captured does not leave it. */
    host?: string;
    port?: number;
    /** The ingest token of `gasoline serve --ci`. */
    token?: string;
    testId?: string;
    worker?: string | number;
    /** Which bodies are kept: those of failed requests (the default), or all. */
    captureMode?: 'errors-only' | 'all';
    console?: boolean;
    /** The least console level that is captured. */
    level?: 'error' | 'warn' | 'all';
    webSockets?: boolean;
    actions?: boolean;
    networkWaterfall?: boolean;
    performanceMarks?: boolean;
}
/** Takes text; what it answers is an order of the test runner (see `binding.ts`). */
export type Binding = (text: string) => Promise<unknown>;
export interface Given {
    config: CiConfig;
    binding: Binding | undefined;
}
export declare function takeConfig(): Given;
/** The server's origin. */
export declare function serverOf({ host, port }: CiConfig): string;
