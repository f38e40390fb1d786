import { type BodyText } from './request';
/**
 * Reads bytes at once, so that nothing piles up in the copy; texts are made by `decode`, when the page is idle.
 * `page.gaveUp` is set to what ends it.
 */
export declare function collect(stream: ReadableStream<Uint8Array>, page: {
    gaveUp?: () => void;
}): Promise<Collected>;
export interface Collected {
    chunks: Uint8Array[];
    bytes: number;
    complete: boolean;
}
export declare function decode({ chunks, bytes, complete }: Collected, contentType: string): BodyText;
