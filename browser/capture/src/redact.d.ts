export declare const REDACTED_HEADER = "[REDACTED]";
export declare const REDACTED_INPUT = "[redacted]";
export declare function sanitizeHeaders(headers: Iterable<readonly [string, string]>): Record<string, string>;
export declare function hasAuthHeader(headers: Iterable<readonly [string, string]>): boolean;
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** Called before a click does anything: what is hidden now stays a secret when it is shown. */
export declare function rememberPasswords(near: ParentNode): void;
/** Whether what is typed here must not leave the page. */
export declare function isSensitive(field: Field): boolean;
/** 13 to 19 digits that pass the Luhn check. */
export declare function isCardNumber(text: string): boolean;
export {};
