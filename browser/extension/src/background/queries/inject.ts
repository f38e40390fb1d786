// Runs our functions in a page, and explains why that was not possible.

import { QUERY_WORKER_MARGIN_MILLIS } from 'gasoline-capture/limits.gen';
import type { QueryCode } from 'gasoline-capture/wire.gen';
import type { InspectFunctions } from '../../inspect';
import type { Outcome } from '../../inspect/outcome';
import { before } from '../deadline';
import { Failure } from './failure';
import type { Target } from './target';

/** Calls a function of `inspect.js`, which is injected first if necessary. */
export async function inspect<T>(
  target: Target,
  name: keyof InspectFunctions,
  args: unknown[],
  millis: number,
): Promise<T> {
  const call = () =>
    injected<Outcome<T> | 'missing', [string, unknown[]]>(target, millis, { func: callInspect<T>, args: [name, args] });
  let outcome = await call();
  if (outcome === 'missing') {
    await injected(target, millis, { files: ['inspect.js'] });
    outcome = await call();
  }
  if (outcome === 'missing') throw new Failure('PAGE_CHANGED', 'The page changed during the query.');
  if ('error' in outcome) {
    throw named(Object.assign(new Error(outcome.error.message), { name: outcome.error.name }));
  }
  return outcome.value;
}

/**
 * Runs in our own world of the page. An element with that id would be found on `globalThis`, but is not its own
 * property.
 */
function callInspect<T>(name: string, args: unknown[]): Promise<Outcome<T>> | 'missing' {
  type Inspect = { call(name: string, ...args: unknown[]): Promise<Outcome<T>> };
  if (!Object.hasOwn(globalThis, 'gasolineInspect')) return 'missing';
  return (globalThis as unknown as { gasolineInspect: Inspect }).gasolineInspect.call(name, ...args);
}

const CODES: Record<string, QueryCode> = {
  InvalidSelector: 'INVALID_SELECTOR',
  InvalidTags: 'INVALID_TAGS',
  Timeout: 'QUERY_TIMEOUT',
  ConsentNeeded: 'CONSENT_NEEDED',
  AlreadyRecording: 'RECORDING',
  NotRecording: 'NOT_RECORDING',
};

/** The names of our own errors say what kind they are. */
export function named(error: Error): Error {
  const code = CODES[error.name];
  return code === undefined ? error : new Failure(code, error.message);
}

type Script<A extends unknown[]> =
  | { func: (...args: A) => unknown; args: A; world?: 'MAIN' | 'ISOLATED' }
  | { files: string[]; world?: 'MAIN' | 'ISOLATED' };

/** Injects into the top frame and returns the result. */
export async function injected<R, A extends unknown[] = unknown[]>(
  target: Target,
  millis: number,
  script: Script<A>,
): Promise<R> {
  const injection = { target: { tabId: target.id, frameIds: [0] }, injectImmediately: true, ...script };
  const work = chrome.scripting.executeScript(injection as chrome.scripting.ScriptInjection<unknown[], unknown>);
  const [answer] = await withinTime(work, target, millis);
  // All our functions return a value. One that is still waiting when its page goes away returns none.
  if (!answer || ('func' in script && answer.result == null)) {
    throw new Failure('PAGE_CHANGED', `Tab ${target.id} went to another page during the query.`);
  }
  return answer.result as R;
}

/** A busy page cannot even answer that it is busy. */
export async function withinTime<T>(work: Promise<T>, target: Target, millis: number): Promise<T> {
  const blocked = () =>
    new Failure(
      'QUERY_TIMEOUT',
      `Tab ${target.id} did not answer within ${millis / 1_000} s; its main thread seems to be blocked.`,
    );
  try {
    return await before(millis + QUERY_WORKER_MARGIN_MILLIS, work, blocked);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (error instanceof Error && CODES[error.name]) throw named(error);
    throw await explain(error, target);
  }
}

/** Translates Chrome's error message into ours. */
async function explain(error: unknown, target: Target): Promise<unknown> {
  const text = error instanceof Error ? error.message : String(error);
  const tab = await chrome.tabs.get(target.id).catch(() => undefined);
  if (!tab) return new Failure('TAB_NOT_FOUND', `Tab ${target.id} was closed during the query.`);
  if (/showing error page/i.test(text)) {
    return new Failure('TAB_RESTRICTED', `Tab ${target.id} shows Chrome's error page: its site could not be reached.`);
  }
  // Only a sentence about a forbidden site names that site; a crashed page has no address any more.
  if (/cannot access contents of the page/i.test(text)) {
    return new Failure('TAB_CRASHED', `Tab ${target.id} has crashed.`);
  }
  if (/cannot access|cannot be scripted|extensions gallery/i.test(text)) {
    return new Failure('TAB_RESTRICTED', `Chrome does not let extensions into tab ${target.id}: ${text}`);
  }
  if (/frame|document|removed|closed|navigat|disconnected/i.test(text)) {
    return new Failure('PAGE_CHANGED', `Tab ${target.id} went to another page during the query.`);
  }
  return error;
}
