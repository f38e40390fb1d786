/** The last such comment counts; a bundle may hold the sources of others that have their own. */
export declare function findSourceMappingUrl(script: string): string | undefined;
/** What a `data:` address holds, as text. */
export declare function decodeDataUrl(url: string): string | undefined;
/** Lines of people are short. What a build put together is not worth showing. */
export declare function isWrittenByHand(script: string): boolean;
