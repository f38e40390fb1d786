// The browser's own functions for reading bodies, taken at document start like the rest (`natives.ts`). They are
// separate because naming them makes the browser build their interfaces, and the content script needs none of them.

import { after, reflect } from './natives';

const { apply } = reflect;

const { clone } = Response.prototype;
export function copyOf(response: Response): Response {
  return apply(clone, response, []);
}

const { getReader } = ReadableStream.prototype;
const { read, cancel } = ReadableStreamDefaultReader.prototype;

/**
 * Reads a stream to its end: calls back for each part, then with whether it ended well. The returned function stops
 * early.
 */
export function readStream(
  stream: ReadableStream<Uint8Array>,
  part: (bytes: Uint8Array) => void,
  end: (complete: boolean) => void,
): () => void {
  const reader = apply(getReader, stream, []) as ReadableStreamDefaultReader<Uint8Array>;
  const next = (): void => {
    after(
      apply(read, reader, []) as Promise<ReadableStreamReadResult<Uint8Array>>,
      ({ done, value }) => {
        if (done) return end(true);
        part(value);
        next();
      },
      () => end(false),
    );
  };
  next();
  return () => void after(apply(cancel, reader, []) as Promise<void>, nothing, nothing);
}

const nothing = () => {};

const { slice, arrayBuffer } = Blob.prototype;
/** The first bytes of a blob. */
export function startOfBlob(blob: Blob, bytes: number): Promise<ArrayBuffer> {
  return apply(arrayBuffer, apply(slice, blob, [0, bytes]), []);
}
