// `fetch`: the facts of every request, and its bodies where the user allowed that.

import { accompany, watchCancels } from './cancel';
import type { Core } from './core';
import { SLOW_FETCH_MILLIS, SLOW_IN_A_ROW } from './limits.gen';
import { copyOf } from './native-streams';
import { after, clock, handOn, isA, NativePromise, ownProperty, reflect } from './natives';
import { patch, patchConstructor } from './patch';
import { type Collected, collect, decode } from './read-body';
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
  isFailure,
  isOurs,
  isStream,
  type RequestRecord,
  report,
  wantsBody,
} from './request';
import { withoutUs } from './stack';
import { followStream } from './stream';
import { noteAnswer } from './unread-json';

const HUGE_BYTES = 8 * 1_024 * 1_024;

/**
 * The body that each request was made with. Reading the request's own body would consume it, and copying it would read
 * a stream.
 */
const givenTo = new WeakMap<object, unknown>();

export function installFetch(core: Core): void {
  patchConstructor(window, 'Request', (made, [input, init]) => {
    const body = dataOf(init, 'body') ?? (typeof input === 'object' && input !== null ? givenTo.get(input) : undefined);
    if (body !== undefined && body !== null) givenTo.set(made, body);
  });
  patch(Request.prototype, 'clone', {
    returned(made: object, self: object) {
      if (givenTo.has(self)) givenTo.set(made, givenTo.get(self));
    },
  });
  core.safely(watchCancels);
  patch(window, 'fetch', {
    called: (_, args: Parameters<typeof fetch>) =>
      core.intercept(() => {
        const began = clock();
        const request = describe(core, args);
        request.spent = clock() - began;
        return request;
      }),
    returned(answer: Promise<Response>, _, __, request: RequestRecord | undefined) {
      if (!request || isOurs(core, request.url)) return answer;
      return handOn(
        answer,
        (response) => core.intercept(() => answered(core, request, response)),
        (reason) => {
          withoutUs(reason);
          core.intercept(() => failed(core, request, reason));
        },
      );
    },
  });
}

function describe(core: Core, [input, init]: Parameters<typeof fetch>): RequestRecord {
  const request = isRequest(input) ? input : undefined;
  // An argument that runs the page's code when it is read is read only once, by the browser. The response then has the
  // address.
  const url = request ? request.url : typeof input === 'string' || isA(input, URL) ? absolute(String(input)) : '';
  const method = ((dataOf(init, 'method') as string | undefined) ?? request?.method ?? 'GET').toUpperCase();
  const headers = core.safely(() => headerList((dataOf(init, 'headers') as HeadersInit) ?? request?.headers)) ?? [];
  const given = dataOf(init, 'body') ?? (request && givenTo.get(request));
  return {
    ...begin(core, 'fetch'),
    method,
    url,
    headers,
    body: () => describeBody(given),
  };
}

const addressOf = ownProperty(Request.prototype, 'url')?.get;
/** Also recognises requests of another frame, and does not run the page's code. */
function isRequest(input: unknown): input is Request {
  try {
    return typeof input === 'object' && !!addressOf && typeof reflect.apply(addressOf, input, []) === 'string';
  } catch {
    return false;
  }
}

/** A data property's value, own or inherited. A getter is the page's code, and only the browser may call it, once. */
function dataOf(object: unknown, name: string): unknown {
  for (let owner = object, step = 0; owner && typeof owner === 'object' && step < 5; step++) {
    const found = ownProperty(owner, name);
    if (found) return found.value;
    owner = Object.getPrototypeOf(owner);
  }
  return undefined;
}

/** An iterator can be read only once, and the browser has to do that. */
function headerList(given: HeadersInit | undefined): HeaderList {
  if (given === undefined || given === null) return [];
  const oneShot = Symbol.iterator in given && !Array.isArray(given) && !isA(given, Headers);
  return oneShot ? [] : [...new Headers(given)];
}

/** How many calls in a row took too long. */
let slow = 0;

function answered(core: Core, request: RequestRecord, response: Response): void {
  const began = clock();
  if (!request.url) request.url = response.url;
  noteAnswer(response, request);
  // An opaque response has status 0 although it arrived. We do not guess what the browser hides.
  const hidden = response.type === 'opaque' || response.type === 'opaqueredirect';
  const headers: HeaderList = hidden ? [] : [...response.headers];
  const outcome = { ...(!hidden && { status: response.status, statusText: response.statusText }), headers };
  const contentType = contentTypeOf(headers);
  if (hidden || !wantsBody(core, outcome.status) || !response.body) return report(core, request, outcome);
  const size = contentLengthOf(headers);
  slow = (request.spent ?? 0) + clock() - began > SLOW_FETCH_MILLIS ? slow + 1 : 0;
  if (slow >= SLOW_IN_A_ROW) {
    core.tooSlow('bodies');
    return report(core, request, { ...outcome, body: { text: '[Skipped: reading it would slow the page down]' } });
  }
  // A copy of something huge would stay in memory until the page has read its own.
  if (isBinary(contentType) || (size ?? 0) > HUGE_BYTES) {
    return report(core, request, { ...outcome, body: { text: binaryText(size, contentType) } });
  }
  const copy = copyOf(response).body as ReadableStream<Uint8Array>;
  if (isStream(contentType)) {
    const { connection, end } = followStream(core, request, copy);
    accompany(response, end);
    return report(core, request, { ...outcome, body: { text: `[Stream: connection ${connection}]` } });
  }
  const page: { gaveUp?: () => void } = {};
  accompany(response, () => page.gaveUp?.());
  const body = new NativePromise<BodyText>((done) => {
    const read = (collected: Collected) => {
      const tell = () => done(core.safely(() => decode(collected, contentType)) ?? {});
      if (isFailure(outcome.status)) tell();
      else core.later(tell);
    };
    after(collect(copy, page), read, () => done({}));
  });
  report(core, request, { ...outcome, body });
}

function failed(core: Core, request: RequestRecord, reason: unknown): void {
  const name = (reason as Error | undefined)?.name;
  const error =
    name === 'AbortError'
      ? 'aborted'
      : name === 'TimeoutError'
        ? 'timed out'
        : String((reason as Error)?.message ?? reason);
  report(core, request, { status: 0, headers: [], error });
}
