export declare function cleanStack(stack: string): string;
/** Where a call came from, as text. Writing it takes longer than noting it, so the two are apart. */
export declare function stackOf(noted: Error): string | undefined;
export declare function topFrame(stack: string | undefined): {
    filename?: string;
    lineno?: number;
    colno?: number;
};
/** Takes our frames out of an error that a native function made on our call. */
export declare function withoutUs(error: unknown): unknown;
