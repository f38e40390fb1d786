/** At most `chars` UTF-16 units, never ending in half a character. */
export declare function cut(text: string, chars: number): string;
/** How many bytes a text takes as UTF-8. */
export declare function byteLength(text: string): number;
/** At most `bytes` of UTF-8. */
export declare function cutBytes(text: string, bytes: number): {
    text: string;
    truncated: boolean;
};
