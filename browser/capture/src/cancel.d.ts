/** `end` runs when the page cancels the body. */
export declare function accompany(response: Response, end: () => void): void;
export declare function watchCancels(): void;
