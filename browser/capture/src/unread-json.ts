// `response.json()` that fails and that nothing handles.
//
// Chromium fires no `unhandledrejection` for it: no script made the error, so it has no place in one, and the browser keeps
// such events to itself. So the page gets an error that reads the same and that a script made: ours. The browser then
// tells of every promise that is rejected with it and left alone, and of no other. We hear first, and the page hears
// nothing, as without us.

import type { Core } from './core';
import { define, handOn, listen, lookUp, nowMillis, setTimer, stopEvent } from './natives';
import { noteCaller, patch } from './patch';
import { contentTypeOf, type RequestRecord } from './request';
import { stackOf, withoutUs } from './stack';

/** What a page starts early and awaits later is handled after all. */
const HOLD_MILLIS = 250;

/** What is known of an error by the call that failed with it. */
export interface UnreadJson {
  stack: string;
  metadata: { response: { url: string; status: number; contentType: string; requestId?: string } };
}

const NativeSyntaxError = SyntaxError;
const failures = new WeakMap<object, () => UnreadJson>();
const requests = new WeakMap<object, RequestRecord>();

/** A response is an answer to this request. */
export function noteAnswer(response: Response, request: RequestRecord): void {
  requests.set(response, request);
}

export function installJson(core: Core): void {
  patch(Response.prototype, 'json', {
    returned(answer: Promise<unknown>, self: Response) {
      if (!core.alive) return answer;
      const asked = noteCaller();
      return handOn(
        answer,
        () => {},
        (reason) => {
          withoutUs(reason);
          return placed(reason as Error, (stack) => describe(stack, self, asked));
        },
      );
    },
  });
}

/** Calls `report` for such an error. Returns a function that listens again: `document.open` takes all listeners away. */
export function watchUnreadJson(
  core: Core,
  report: (reason: Error, unread: UnreadJson & { ts: number }) => void,
): () => void {
  const held = new Map<Promise<unknown>, () => void>();
  const settle = (promise: Promise<unknown>) => {
    const tell = held.get(promise);
    held.delete(promise);
    if (tell) core.safely(tell);
  };
  // The first to hear, also before the page's own listeners for the way down.
  const hear = (event: PromiseRejectionEvent) => {
    const { reason, promise, type } = event;
    const failure = lookUp(failures, reason);
    if (!failure) return;
    stopEvent(event);
    if (type === 'rejectionhandled') held.delete(promise);
    else if (core.alive) {
      const ts = nowMillis();
      held.set(promise, () => report(reason, { ...failure(), ts }));
      setTimer(() => settle(promise), HOLD_MILLIS);
    }
  };
  listen(window, 'pagehide', () => {
    for (const promise of [...held.keys()]) settle(promise);
  });
  return () => {
    for (const type of ['unhandledrejection', 'rejectionhandled']) listen(window, type, hear, true);
  };
}

/** Only for an error without a place: of any other the browser tells the page. Other engines write stacks otherwise. */
function placed({ name, message, stack }: Error, describe: (stack: string) => UnreadJson): Error | undefined {
  if (name !== 'SyntaxError' || stack !== `${name}: ${message}`) return undefined;
  const made = new NativeSyntaxError(message);
  define(made, 'stack', { value: stack, configurable: true, writable: true, enumerable: false });
  failures.set(made, () => describe(stack));
  return made;
}

function describe(stack: string, response: Response, asked: Error): UnreadJson {
  const request = requests.get(response);
  return {
    stack: `${stack}\n${stackOf(asked) ?? ''}`,
    metadata: {
      response: {
        url: response.url,
        status: response.status,
        contentType: contentTypeOf([...response.headers]),
        ...(request && { requestId: request.id }),
      },
    },
  };
}
