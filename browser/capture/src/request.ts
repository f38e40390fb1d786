// What `fetch` and `XMLHttpRequest` have in common: one request, its response, and the two entries made of them.

import type { CaptureEvent, Core } from './core';
import { REQUEST_BODY_BYTES } from './limits.gen';
import { startOfBlob } from './native-streams';
import { clock, isA, NativePromise, nowMillis, ownProperty, reflect } from './natives';
import { noteCaller } from './patch';
import { hasAuthHeader, sanitizeHeaders } from './redact';
import { stackOf } from './stack';
import { cut, cutBytes } from './text';

const URL_CHARS = 4_096;
/** Types of bodies that are not read: their size and type are enough. */
const BINARY = /^(image|video|audio|font)\/|wasm|octet-stream|zip|pdf|protobuf|grpc|msgpack|cbor|x-tar|font/i;
const STREAM = /event-stream|ndjson|jsonl|stream\+json|json-seq/i;

const currentEvent = ownProperty(window, 'event')?.get;

export type HeaderList = Array<readonly [string, string]>;

/** What is recorded when a request is made. */
interface Start {
  id: string;
  initiator: 'fetch' | 'xhr';
  started: number;
  startedAt: number;
  /** The caller; formatted when the page is idle. */
  asked: Error;
  /** The user event that is being handled. */
  trigger: string | undefined;
}

export interface RequestRecord extends Start {
  method: string;
  url: string;
  headers: HeaderList;
  /** Milliseconds of the page's time that our handling of the call took. */
  spent?: number;
  /** Filled in when the page is idle, and only where bodies are captured. */
  body: () => BodyText | Promise<BodyText>;
}

export interface BodyText {
  text?: string;
  size?: number;
  truncated?: boolean;
}

export interface Outcome {
  /** 0: no response came. Absent where the browser hides the status. */
  status?: number;
  statusText?: string;
  headers: HeaderList;
  error?: string;
  /** May arrive later; the other facts are reported once it is there. */
  body?: BodyText | Promise<BodyText>;
}

export function isBinary(contentType: string): boolean {
  return BINARY.test(contentType);
}

export function isStream(contentType: string): boolean {
  return STREAM.test(contentType);
}

export function contentTypeOf(headers: HeaderList): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

export function contentLengthOf(headers: HeaderList): number | undefined {
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  return length === undefined || !/^\d+$/.test(length) ? undefined : Number(length);
}

/** Our own server is not part of the page. */
export function isOurs(core: Core, url: string): boolean {
  return core.switches.server !== '' && url.startsWith(`${core.switches.server}/`);
}

export function absolute(url: string): string {
  try {
    return cut(new URL(url, document.baseURI).href, URL_CHARS);
  } catch {
    return cut(url, URL_CHARS);
  }
}

export function begin(core: Core, initiator: Start['initiator']): Start {
  // Read with the browser's own getter: a page may have replaced it.
  const event = core.safely(() => currentEvent && (reflect.apply(currentEvent, window, []) as Event | undefined));
  return {
    id: core.id(),
    initiator,
    started: clock(),
    startedAt: nowMillis(),
    asked: noteCaller(),
    trigger: event?.isTrusted ? event.type : undefined,
  };
}

export function wantsBody(core: Core, status: number | undefined): boolean {
  const { bodies } = core.switches;
  return bodies === 'all' || (bodies === 'errors' && (status === undefined || status === 0 || status >= 400));
}

/** Reports a response: at once when it failed, and in full when the page is idle. */
export function report(core: Core, request: RequestRecord, outcome: Outcome): void {
  const duration = Math.round((clock() - request.started) * 10) / 10;
  const { status, error } = outcome;
  if (isFailure(status) && error !== 'aborted') reportFailure(core, request, outcome, duration);
  // The failure's own flush sends the details as well.
  core.later(() => sendDetails(core, request, outcome, duration));
}

export function isFailure(status: number | undefined): boolean {
  return status !== undefined && (status === 0 || status >= 400);
}

function reportFailure(core: Core, request: RequestRecord, outcome: Outcome, duration: number): void {
  const { status, statusText, error } = outcome;
  const what = status === 0 ? `failed: ${error ?? 'no answer'}` : `${status}${statusText ? ` ${statusText}` : ''}`;
  core.emit(
    {
      type: 'error',
      id: core.id(),
      ts: nowMillis(),
      source: 'network',
      message: `${request.method} ${cut(request.url, 500)} → ${what}`,
      url: location.href,
      method: request.method,
      requestUrl: request.url,
      status: status as number,
      duration,
      requestId: request.id,
    },
    { urgent: true },
  );
}

function sendDetails(core: Core, request: RequestRecord, outcome: Outcome, duration: number): void {
  const sent = wantsBody(core, outcome.status) ? request.body() : {};
  const body = outcome.body ?? {};
  const send = (sent: BodyText, body: BodyText) => emitDetails(core, request, outcome, duration, sent, body);
  // A page that is being unloaded has no time for unnecessary promises.
  if (!(isA(sent, NativePromise) || isA(body, NativePromise))) send(sent, body);
  else void whenBoth(sent, body, send);
}

/** `await` calls no `then` of the page's; `Promise.all` would. It never rejects: the page would see the rejection. */
async function whenBoth<A, B>(a: A | Promise<A>, b: B | Promise<B>, done: (a: A, b: B) => void): Promise<void> {
  try {
    done(await a, await b);
  } catch {
    // Such a request is not reported.
  }
}

function emitDetails(
  core: Core,
  request: RequestRecord,
  { status, headers, error }: Outcome,
  duration: number,
  sent: BodyText,
  body: BodyText,
): void {
  const contentType = contentTypeOf(headers);
  const stack = stackOf(request.asked);
  const responseSize = body.size ?? contentLengthOf(headers);
  const event: CaptureEvent = {
    type: 'network',
    ts: request.startedAt,
    method: request.method,
    url: request.url,
    ...(status !== undefined && { status }),
    duration,
    initiator: request.initiator,
    requestId: request.id,
    pageUrl: location.href,
    ...(stack && { stack }),
    ...(request.trigger && { trigger: request.trigger }),
    hasAuthHeader: hasAuthHeader(request.headers),
    requestHeaders: sanitizeHeaders(request.headers),
    responseHeaders: sanitizeHeaders(headers),
    ...(contentType && { contentType }),
    ...(error && { error }),
    ...(sent.text !== undefined && { requestBody: sent.text }),
    ...(sent.size !== undefined && { requestSize: sent.size }),
    ...(body.text !== undefined && { responseBody: body.text }),
    ...(responseSize !== undefined && { responseSize }),
    ...((sent.truncated || body.truncated) && { truncated: true }),
  };
  // A chunked response states no size; by now the browser may know it.
  const measure = () => {
    const size = sizeOf(request);
    if (size === undefined) return;
    if (event.responseBody === binaryText(undefined, contentType)) event.responseBody = binaryText(size, contentType);
    event.responseSize = size;
  };
  core.emit(event, { urgent: isFailure(status), ...(responseSize === undefined && { finish: measure }) });
}

/** The number of bytes that the browser counted. */
function sizeOf({ url, started }: RequestRecord): number | undefined {
  const timings = performance.getEntriesByName(url.replace(/#.*/, ''), 'resource') as PerformanceResourceTiming[];
  // The browser's clock is coarser than ours.
  return timings.find(({ startTime }) => startTime > started - 1)?.decodedBodySize || undefined;
}

export function binaryText(size: number | undefined, contentType: string): string {
  return `[Binary: ${size === undefined ? 'unknown size' : `${size} bytes`}, type: ${contentType || 'unknown'}]`;
}

/** A request's body as text, whatever its type. Files and binary data are named, not read. */
export function describeBody(body: unknown): BodyText | Promise<BodyText> {
  if (body === null || body === undefined) return {};
  if (typeof body === 'string') return limited(body);
  if (isA(body, URLSearchParams)) return limited(body.toString());
  if (isA(body, FormData)) {
    const lines = Array.from(body, ([name, value]) => {
      const shown =
        typeof value === 'string' ? value : `[File: ${value.name}, ${value.size} bytes, type: ${value.type}]`;
      return `${encodeURIComponent(name)}=${typeof value === 'string' ? encodeURIComponent(shown) : shown}`;
    });
    return limited(lines.join('&'));
  }
  if (isA(body, Blob)) return describeBlob(body);
  if (isA(body, ArrayBuffer)) return { text: binaryText(body.byteLength, ''), size: body.byteLength };
  if (ArrayBuffer.isView(body)) return { text: binaryText(body.byteLength, ''), size: body.byteLength };
  if (isA(body, Document)) return limited(new XMLSerializer().serializeToString(body));
  if (isA(body, ReadableStream)) return { text: '[Stream]' };
  return limited(String(body));
}

async function describeBlob(blob: Blob): Promise<BodyText> {
  const { size, type } = blob;
  if (!/json|text|xml|urlencoded/i.test(type)) return { text: binaryText(size, type), size };
  const text = new TextDecoder().decode(await startOfBlob(blob, REQUEST_BODY_BYTES));
  return { text, size, truncated: size > REQUEST_BODY_BYTES };
}

function limited(body: string): BodyText {
  const { text, truncated } = cutBytes(body, REQUEST_BODY_BYTES);
  return { text, size: truncated ? body.length : new Blob([text]).size, truncated };
}
