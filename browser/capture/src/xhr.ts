// `XMLHttpRequest`, wrapped through its prototype's methods.

import type { Core } from './core';
import { RESPONSE_BODY_BYTES } from './limits.gen';
import { isA, listen, stringify } from './natives';
import { patch } from './patch';
import {
  absolute,
  type BodyText,
  begin,
  binaryText,
  contentLengthOf,
  contentTypeOf,
  describeBody,
  type HeaderList,
  isBinary,
  isOurs,
  type RequestRecord,
  report,
  wantsBody,
} from './request';
import { toText } from './serialize';
import { cutBytes } from './text';

const DONE = 4;
/** A JSON response with more values than this is not serialized again. */
const JSON_PARTS = 2_000;

interface Opened {
  method: string;
  url: string;
  headers: HeaderList;
  failure?: string;
}

export function installXhr(core: Core): void {
  const opened = new WeakMap<XMLHttpRequest, Opened>();
  const watched = new WeakSet<XMLHttpRequest>();
  const running = new WeakMap<XMLHttpRequest, RequestRecord>();
  const { prototype } = XMLHttpRequest;

  const before = (name: string, note: (xhr: XMLHttpRequest, args: unknown[]) => void) =>
    patch(prototype, name, {
      called(self: XMLHttpRequest, args: unknown[]) {
        core.intercept(() => note(self, args));
      },
    });

  before('open', (xhr, [method, url]) => {
    // The page opened it again before it reported its end, for example in its own `load` handler. The previous request
    // is over.
    if (running.has(xhr)) {
      if (xhr.readyState !== DONE) note(xhr, 'abort');
      ended(xhr);
    }
    opened.set(xhr, { method: String(method).toUpperCase(), url: absolute(String(url)), headers: [] });
  });
  before('setRequestHeader', (xhr, [name, value]) => {
    opened.get(xhr)?.headers.push([String(name), String(value)]);
  });
  before('send', (xhr, [body]) => {
    const call = opened.get(xhr);
    if (!call || isOurs(core, call.url)) return;
    running.set(xhr, {
      ...begin(core, 'xhr'),
      method: call.method,
      url: call.url,
      headers: call.headers,
      body: () => describeBody(body),
    });
    if (watched.has(xhr)) return;
    watched.add(xhr);
    for (const type of ['abort', 'timeout', 'error']) listen(xhr, type, () => note(xhr, type));
    listen(xhr, 'loadend', () => {
      // If the page has opened it again in the meantime, it is not done: this event ends the previous request.
      if (xhr.readyState === DONE) core.intercept(() => ended(xhr));
    });
  });

  function note(xhr: XMLHttpRequest, type: string): void {
    const call = opened.get(xhr);
    if (call) call.failure = { abort: 'aborted', timeout: 'timed out' }[type] ?? 'network error';
  }

  function ended(xhr: XMLHttpRequest): void {
    const request = running.get(xhr);
    running.delete(xhr);
    if (!request || !core.alive) return;
    const { status, statusText } = xhr;
    const headers = parseHeaders(xhr.getAllResponseHeaders());
    if (status === 0) {
      const error = opened.get(xhr)?.failure ?? 'network error';
      return report(core, request, { status, headers, error });
    }
    const body = wantsBody(core, status) ? bodyOf(xhr, headers) : undefined;
    report(core, request, { status, statusText, headers, ...(body && { body }) });
  }
}

function bodyOf(xhr: XMLHttpRequest, headers: HeaderList): BodyText {
  const contentType = contentTypeOf(headers);
  const size = contentLengthOf(headers);
  const { responseType } = xhr;
  if (responseType === '' || responseType === 'text') {
    if (isBinary(contentType)) return { text: binaryText(size, contentType) };
    return limited(xhr.responseText);
  }
  // Serializing a large response again would take too long; its first values are enough.
  if (responseType === 'json') {
    const { response } = xhr;
    return limited(countParts(response, JSON_PARTS) > JSON_PARTS ? toText(response) : stringify(response));
  }
  const { response } = xhr;
  if (isA(response, Document)) return limited(new XMLSerializer().serializeToString(response));
  const bytes = isA(response, Blob) ? response.size : (response as ArrayBuffer | null)?.byteLength;
  return { text: binaryText(bytes ?? size, contentType), ...(bytes !== undefined && { size: bytes }) };
}

/** Counts the values in a JSON value up to a limit. Its length is unknown when the response was compressed. */
function countParts(value: unknown, limit: number): number {
  if (typeof value === 'string') return 1 + (value.length >> 8);
  if (typeof value !== 'object' || value === null) return 1;
  let parts = 1;
  for (const inner of Object.values(value)) {
    if (parts > limit) break;
    parts += countParts(inner, limit - parts);
  }
  return parts;
}

function limited(whole: string): BodyText {
  const { text, truncated } = cutBytes(whole, RESPONSE_BODY_BYTES);
  return truncated ? { text, truncated } : { text };
}

function parseHeaders(text: string): HeaderList {
  return text
    .split('\r\n')
    .filter((line) => line.includes(':'))
    .map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()] as const);
}
