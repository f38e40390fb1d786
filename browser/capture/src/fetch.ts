// `fetch`: every request's facts, and its bodies where the user allowed that.

import type { Core } from './core';
import { after, clock, nowMillis, reflect } from './natives';
import { patch } from './patch';
import { collect, decode } from './read-body';
import {
  absolute,
  type BodyText,
  binaryText,
  contentLengthOf,
  contentTypeOf,
  describeBody,
  type HeaderList,
  isBinary,
  isOurs,
  isStream,
  type RequestRecord,
  report,
  wantsBody,
} from './request';
import { followStream } from './stream';

export function installFetch(core: Core): void {
  patch(window, 'fetch', {
    apply(target, self, args: Parameters<typeof fetch>) {
      const request = core.active ? core.intercept(() => describe(core, args)) : undefined;
      const answer = reflect.apply(target, self, args) as Promise<Response>;
      if (!request || isOurs(core, request.url)) return answer;
      // The page gets the promise behind ours. Listening on the side instead would mark a rejection as handled.
      return after(
        answer,
        (response) => {
          core.intercept(() => answered(core, request, response));
          return response;
        },
        (reason) => {
          core.intercept(() => failed(core, request, reason));
          throw reason;
        },
      );
    },
  });
}

function describe(core: Core, [input, init]: Parameters<typeof fetch>): RequestRecord {
  const request = input instanceof Request ? input : undefined;
  const url = request ? request.url : absolute(String(input));
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  const headers = core.safely(() => headerList(init?.headers ?? request?.headers)) ?? [];
  const given = init?.body;
  // A request's own body can be read once only, so a copy has to be made before it is sent.
  const copy = request?.body && !given && !request.bodyUsed && core.settings.bodies !== 'none' && request.clone();
  return {
    id: core.id(),
    initiator: 'fetch',
    method,
    url,
    started: clock(),
    startedAt: nowMillis(),
    headers,
    body: () => (copy ? copy.blob().then(describeBody) : describeBody(given)),
  };
}

/** An iterator can be read once, and that is the browser's turn. */
function headerList(given: HeadersInit | undefined): HeaderList {
  if (given === undefined || given === null) return [];
  const oneShot = Symbol.iterator in given && !Array.isArray(given) && !(given instanceof Headers);
  return oneShot ? [] : [...new Headers(given)];
}

function answered(core: Core, request: RequestRecord, response: Response): void {
  // An opaque answer's status is 0 although it arrived; what the browser hides we don't guess.
  const hidden = response.type === 'opaque' || response.type === 'opaqueredirect';
  const headers: HeaderList = hidden ? [] : [...response.headers];
  const outcome = { ...(!hidden && { status: response.status, statusText: response.statusText }), headers };
  const contentType = contentTypeOf(headers);
  if (hidden || !wantsBody(core, outcome.status) || !response.body) return report(core, request, outcome);
  if (isBinary(contentType)) {
    const size = contentLengthOf(headers);
    return report(core, request, { ...outcome, body: { text: binaryText(size, contentType) } });
  }
  const copy = response.clone().body as ReadableStream<Uint8Array>;
  if (isStream(contentType)) {
    const connection = followStream(core, request, copy);
    return report(core, request, { ...outcome, body: { text: `[Stream: connection ${connection}]` } });
  }
  const body = collect(copy).then(
    (collected) => new Promise<BodyText>((done) => core.later(() => done(decode(collected, contentType)))),
  );
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
