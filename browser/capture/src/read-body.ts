// Reads a copy of a response, up to a limit, while the page reads its own.

import { RESPONSE_BODY_BYTES } from './limits.gen';
import { readStream } from './native-streams';
import { clearTimer, NativePromise, setTimer } from './natives';
import { type BodyText, binaryText } from './request';

/** A body that does not end is reported with what has arrived after this time. */
const PATIENCE_MILLIS = 10_000;

/**
 * Reads bytes at once, so that they do not pile up in the copy. `decode` makes text of them when the page is idle.
 * `page.gaveUp` is set to the function that ends the reading.
 */
export function collect(stream: ReadableStream<Uint8Array>, page: { gaveUp?: () => void }): Promise<Collected> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return new NativePromise((resolve) => {
    let over = false;
    const finish = (complete: boolean) => {
      if (over) return;
      over = true;
      clearTimer(timer);
      resolve({ chunks, bytes, complete });
      if (!complete) cancel();
    };
    page.gaveUp = () => finish(false);
    const timer = setTimer(() => finish(false), PATIENCE_MILLIS);
    const cancel = readStream(
      stream,
      (chunk) => {
        chunks.push(chunk);
        bytes += chunk.byteLength;
        if (bytes > RESPONSE_BODY_BYTES) finish(false);
      },
      // When the page aborts or the connection breaks, the bytes so far are the result.
      finish,
    );
  });
}

export interface Collected {
  chunks: Uint8Array[];
  bytes: number;
  complete: boolean;
}

export function decode({ chunks, bytes, complete }: Collected, contentType: string): BodyText {
  const kept = new Uint8Array(Math.min(bytes, RESPONSE_BODY_BYTES));
  let at = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(0, kept.length - at);
    kept.set(part, at);
    at += part.length;
  }
  const decoder = decoderFor(contentType);
  // In stream mode a decoder leaves out a character that was cut in two.
  const text = decoder.decode(kept, { stream: !complete });
  // Text contains no zero characters, so this is binary data.
  if (text.includes('\0')) return { text: binaryText(complete ? bytes : undefined, contentType) };
  return complete ? { text, size: bytes } : { text, truncated: true };
}

function decoderFor(contentType: string): TextDecoder {
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1];
  try {
    return new TextDecoder(charset ?? 'utf-8');
  } catch {
    return new TextDecoder();
  }
}
