// Selects the events of a batch that are errors thrown by code.

import type { Failure as ErrorFacts } from './ancestry';

/** React logs this beside an error that it did not catch. The stack of an endless render contains no component. */
const REACT_SAYS = /error occurred in the <([\w$.]+)> component/;
const SAID_MILLIS = 100;

/** An error that a page just reported. */
export interface Failure extends ErrorFacts {
  id: string;
}

/** The fields of an event that are read here. */
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
