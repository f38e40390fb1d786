// Writes the duration into a recorded WebM. The browser records as for a live stream, whose end is unknown, and players
// then show no length and cannot seek.

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const DURATION = 0x4489;
const TIMESTAMP_SCALE = 0x2ad7b1;
const SEEK_HEAD = 0x114d9b74;
const CLUSTER = 0x1f43b675;
/** The header is much smaller than this. */
const HEAD_BYTES = 4_096;
/** The default unit of durations, in nanoseconds: one millisecond. */
const DEFAULT_SCALE = 1_000_000;

interface Element {
  id: number;
  start: number;
  /** The beginning and end of its content. */
  content: number;
  end: number;
}

/** The same video with its duration; unchanged when its structure differs from what browsers write. */
export async function withDuration(video: Blob, seconds: number): Promise<Blob> {
  const head = new Uint8Array(await video.slice(0, HEAD_BYTES).arrayBuffer());
  const patched = patchHead(head, seconds);
  return patched ? new Blob([patched, video.slice(head.length)], { type: video.type }) : video;
}

export function patchHead(head: Uint8Array, seconds: number): Uint8Array<ArrayBuffer> | undefined {
  const info = findInfo(head);
  if (!info) return undefined;
  const content = head.subarray(info.content, info.end);
  const parts = [...elements(content, 0, content.length)];
  if (parts.some(({ id }) => id === DURATION)) return undefined;
  const scale = parts.find(({ id }) => id === TIMESTAMP_SCALE);
  const nanoseconds = scale ? unsigned(content.subarray(scale.content, scale.end)) : DEFAULT_SCALE;
  const duration = new Uint8Array(11);
  duration.set([0x44, 0x89, 0x88]);
  new DataView(duration.buffer).setFloat64(3, (seconds * 1e9) / nanoseconds);
  const size = content.length + duration.length;
  return join(
    head.subarray(0, info.start + 4),
    Uint8Array.of(0x40 | (size >> 8), size & 0xff),
    content,
    duration,
    head.subarray(info.end),
  );
}

function findInfo(head: Uint8Array): Element | undefined {
  const segment = [...elements(head, 0, head.length)].find(({ id }) => id === SEGMENT);
  if (!segment) return undefined;
  for (const element of elements(head, segment.content, head.length)) {
    // A list of positions would be wrong once the header has grown.
    if (element.id === SEEK_HEAD || element.id === CLUSTER) return undefined;
    if (element.id === INFO) return element.end <= head.length ? element : undefined;
  }
  return undefined;
}

function* elements(bytes: Uint8Array, from: number, to: number): Generator<Element> {
  for (let start = from; start < to; ) {
    const idLength = Math.clz32(bytes[start] as number) - 23;
    const first = bytes[start + idLength];
    if (idLength > 4 || first === undefined || first === 0) return;
    const sizeLength = Math.clz32(first) - 23;
    const content = start + idLength + sizeLength;
    if (content > to) return;
    const sized = bytes.slice(start + idLength, content);
    sized[0] = first & (0xff >> sizeLength);
    // All bits set: the size is unknown, and the element extends to the end.
    const unknown = sized[0] === 0xff >> sizeLength && sized.subarray(1).every((byte) => byte === 0xff);
    const end = unknown ? Number.MAX_SAFE_INTEGER : content + unsigned(sized);
    yield { id: unsigned(bytes.subarray(start, start + idLength)), start, content, end };
    start = end;
  }
}

function unsigned(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

function join(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
