export declare function toPlain(value: unknown): unknown;
/** The arguments of one call, which share the room for one value. */
export declare function allPlain(values: unknown[]): unknown[];
/** A value on one line, as a console shows it. */
export declare function toText(value: unknown): string;
export declare function isError(value: unknown): value is Error;
