// Detects a `response.json()` that fails without being handled.
//
// Chromium fires no `unhandledrejection` for such a failure: the error comes from no script, and the browser keeps
// events of such errors to itself. So the page gets an equal error that a script made: ours. The browser then fires
// events for every promise that is rejected with that error and left unhandled, and for no other promise. Our listener
// runs first and stops the event, so the page sees none, as without us.

import type { Core } from './core';
import { define, handOn, listen, lookUp, nowMillis, setTimer, stopEvent } from './natives';
import { noteCaller, patch } from './patch';
import { contentTypeOf, type RequestRecord } from './request';
import { stackOf, withoutUs } from './stack';

/** A promise that a page starts early and awaits later is handled after all. */
const HOLD_MILLIS = 250;

/** What the call that failed knows about its error. */
export interface UnreadJson {
  stack: string;
  metadata: { response: { url: string; status: number; contentType: string; requestId?: string } };
}

const NativeSyntaxError = SyntaxError;
const failures = new WeakMap<object, () => UnreadJson>();
const requests = new WeakMap<object, RequestRecord>();

/** Records that a response belongs to this request. */
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

/**
 * Calls `report` for such an error. Returns a function that adds the listeners again: `document.open` removes them all.
 */
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
  // Runs first, even before the page's own capturing listeners.
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

/**
 * Only for an error without a position: the browser reports any other error to the page. Other engines format stacks
 * differently.
 */
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
