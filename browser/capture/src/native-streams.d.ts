export declare function copyOf(response: Response): Response;
/** Reads a stream to its end: each part, then whether it ended well. The result gives it up early. */
export declare function readStream(stream: ReadableStream<Uint8Array>, part: (bytes: Uint8Array) => void, end: (complete: boolean) => void): () => void;
/** The first bytes of a blob. */
export declare function startOfBlob(blob: Blob, bytes: number): Promise<ArrayBuffer>;
