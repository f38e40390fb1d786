// Runs our functions in a page, and tells why that was not possible.

import { QUERY_WORKER_MARGIN_MILLIS } from 'gasoline-capture/limits.gen';
import type { QueryCode } from 'gasoline-capture/wire.gen';
import type { InspectFunctions } from '../../inspect';
import type { Outcome } from '../../inspect/outcome';
import { before } from '../deadline';
import { Failure } from './failure';
import type { Target } from './target';

/** Calls a function of `inspect.js`, which is put in first where it is not yet. */
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
  if (outcome === 'missing') throw new Failure('PAGE_CHANGED', 'The page changed while it was asked.');
  if ('error' in outcome) {
    throw named(Object.assign(new Error(outcome.error.message), { name: outcome.error.name }));
  }
  return outcome.value;
}

/** Runs in the page, in our own world. An element of that name would be found on `globalThis`, but is not its own. */
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

/** Our own parts say by an error's name what kind it is. */
export function named(error: Error): Error {
  const code = CODES[error.name];
  return code === undefined ? error : new Failure(code, error.message);
}

type Script<A extends unknown[]> =
  | { func: (...args: A) => unknown; args: A; world?: 'MAIN' | 'ISOLATED' }
  | { files: string[]; world?: 'MAIN' | 'ISOLATED' };

/** Injects into the top frame and returns what comes back. */
export async function injected<R, A extends unknown[] = unknown[]>(
  target: Target,
  millis: number,
  script: Script<A>,
): Promise<R> {
  const injection = { target: { tabId: target.id, frameIds: [0] }, injectImmediately: true, ...script };
  const work = chrome.scripting.executeScript(injection as chrome.scripting.ScriptInjection<unknown[], unknown>);
  const [answer] = await withinTime(work, target, millis);
  // All our functions answer something. One that waits when its page goes away gives nothing.
  if (!answer || ('func' in script && answer.result == null)) {
    throw new Failure('PAGE_CHANGED', `Tab ${target.id} went to another page while it was asked.`);
  }
  return answer.result as R;
}

/** A page that is busy answers nothing, not even that it is. */
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

/** Chrome's own words for what went wrong, in ours. */
async function explain(error: unknown, target: Target): Promise<unknown> {
  const text = error instanceof Error ? error.message : String(error);
  const tab = await chrome.tabs.get(target.id).catch(() => undefined);
  if (!tab) return new Failure('TAB_NOT_FOUND', `Tab ${target.id} was closed while it was asked.`);
  if (/showing error page/i.test(text)) {
    return new Failure('TAB_RESTRICTED', `Tab ${target.id} shows Chrome's error page: its site could not be reached.`);
  }
  // A site that is refused is named in that sentence; a crashed page has no address any more.
  if (/cannot access contents of the page/i.test(text)) {
    return new Failure('TAB_CRASHED', `Tab ${target.id} has crashed.`);
  }
  if (/cannot access|cannot be scripted|extensions gallery/i.test(text)) {
    return new Failure('TAB_RESTRICTED', `Chrome lets no extension into tab ${target.id}: ${text}`);
  }
  if (/frame|document|removed|closed|navigat|disconnected/i.test(text)) {
    return new Failure('PAGE_CHANGED', `Tab ${target.id} went to another page while it was asked.`);
  }
  return error;
}
