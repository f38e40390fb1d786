// Failures that nothing caught: exceptions, rejections, resources that did not load, violations of the content security
// policy.

import type { CaptureEvent, Core } from './core';
import { withErrorContext } from './error-context';
import { attribute, isA, listen, nowMillis } from './natives';
import { isOurs } from './request';
import { isError, toPlain, toText } from './serialize';
import { cleanStack, topFrame } from './stack';
import { cut } from './text';
import { watchUnreadJson } from './unread-json';

const MESSAGE_CHARS = 4_096;

/** Returns a function that adds the listeners again: `document.open` removes them all. */
export function installErrors(core: Core): () => void {
  const onError = guarded<ErrorEvent>(core, (event) => {
    if (event.target === window || !isA(event.target, Element)) exception(event);
    else resource(event.target);
  });
  const onRejection = guarded<PromiseRejectionEvent>(core, (event) => {
    send({ source: 'unhandledrejection', ...describe(event.reason) });
  });
  const onViolation = guarded<SecurityPolicyViolationEvent>(core, (event) => {
    const { violatedDirective, blockedURI, sourceFile, lineNumber, columnNumber, disposition, sample } = event;
    // A policy that blocks our own batches is not an error of the page.
    if (isOurs(core, `${blockedURI}/`)) return;
    send({
      source: 'csp',
      level: disposition === 'report' ? 'warn' : 'error',
      message: `Content security policy (${violatedDirective}) blocked ${blockedURI || 'inline code'}`,
      ...(sourceFile && { filename: sourceFile, lineno: lineNumber, colno: columnNumber }),
      metadata: { directive: violatedDirective, blockedURI, disposition, ...(sample && { sample }) },
    });
  });

  const listenToUnreadJson = watchUnreadJson(core, (reason, unread) => {
    send({ source: 'unhandledrejection', ...describe(reason), ...unread, ...topFrame(unread.stack) });
  });

  function exception(event: ErrorEvent): void {
    const described = describe(event.error ?? undefined);
    const thrown = event.error !== null && event.error !== undefined;
    send({
      source: 'exception',
      ...described,
      ...(!thrown && { message: cut(event.message || 'Unknown error', MESSAGE_CHARS) }),
      ...(event.filename && { filename: event.filename, lineno: event.lineno, colno: event.colno }),
    });
  }

  function resource(element: Element): void {
    const address = attribute(element, 'src') ?? attribute(element, 'href') ?? attribute(element, 'data');
    if (address === null) return;
    const requestUrl = new URL(address, document.baseURI).href;
    send({
      source: 'resource',
      message: `Failed to load <${element.localName}> ${cut(requestUrl, 500)}`,
      requestUrl: cut(requestUrl, 2_000),
    });
  }

  function send(fields: Partial<Extract<CaptureEvent, { type: 'console' | 'error' }>>): void {
    const event = {
      type: 'error' as const,
      id: core.id(),
      ts: nowMillis(),
      level: 'error' as const,
      url: location.href,
      ...fields,
    };
    core.emit(withErrorContext(core, event), { urgent: true });
  }

  const start = () => {
    listenToUnreadJson();
    listen(window, 'error', onError as (event: Event) => void, true);
    listen(window, 'unhandledrejection', onRejection as (event: Event) => void);
    listen(window, 'securitypolicyviolation', onViolation as (event: Event) => void);
  };
  start();
  return start;
}

function guarded<E>(core: Core, work: (event: E) => void): (event: E) => void {
  return (event) => {
    core.intercept(() => work(event));
  };
}

/** Any value can be thrown. */
function describe(thrown: unknown): { message: string; stack?: string; filename?: string; metadata?: unknown } {
  if (!isError(thrown)) return { message: cut(toText(thrown), MESSAGE_CHARS) };
  const message = cut(`${thrown.message}` || `${thrown.name}`, MESSAGE_CHARS);
  const stack = typeof thrown.stack === 'string' ? cleanStack(thrown.stack) : undefined;
  // Its other fields (a cause, the errors of an AggregateError, a status code) often say more than the message.
  const { name: _n, message: _m, stack: _s, ...extra } = toPlain(thrown) as Record<string, unknown>;
  return {
    message,
    ...(stack && { stack, ...topFrame(stack) }),
    ...(Object.keys(extra).length > 0 && { metadata: extra }),
  };
}
