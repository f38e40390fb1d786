// Which events of a batch are errors that come from code.

import type { Failure as ErrorFacts } from './ancestry';

/** What React writes beside an error that it did not catch: the stack of an endless render has no component in it. */
const REACT_SAYS = /error occurred in the <([\w$.]+)> component/;
const SAID_MILLIS = 100;

/** An error that just came from a page. */
export interface Failure extends ErrorFacts {
  id: string;
}

/** What is read of an event. */
export interface ErrorEvent {
  id?: string;
  level?: string;
  source?: string;
  message?: string;
  stack?: string;
  ts?: unknown;
}

export function failuresIn(events: ErrorEvent[], now: number): Failure[] {
  const failures: Failure[] = [];
  const named: Array<{ said: string; ts: number }> = [];
  for (const { id, level, source, message = '', stack, ts } of events) {
    if (level === 'error' && id && source !== 'network' && stack) {
      failures.push({ id, message, stack, ts: typeof ts === 'number' ? ts : now });
    }
    const said = REACT_SAYS.exec(message)?.[1];
    if (said) named.push({ said, ts: Number(ts) });
  }
  for (const failure of failures) {
    const { said } = named.find(({ ts }) => Math.abs(ts - failure.ts) <= SAID_MILLIS) ?? {};
    if (said) failure.said = said;
  }
  return failures;
}
