// Runs our functions in a page, and tells why that was not possible.

import { QUERY_WORKER_MARGIN_MILLIS } from '../../../../capture/src/limits.gen';
import { Failure } from './failure';
import type { Target } from './target';

/** What a function that was injected gives back: failures in a page are lost on the way unless they are values. */
export type Outcome<T> =
  | { value: T }
  | { error: { name: string; message: string; stack?: string } }
  | { missing: true };

type Inspect = Record<string, (...args: unknown[]) => unknown>;

/** Calls a function of `inspect.js`, which is put in first where it is not yet. */
export async function inspect<T>(target: Target, name: string, args: unknown[], millis: number): Promise<T> {
  const call = () =>
    injected<Outcome<T>, [string, unknown[]]>(target, millis, { func: callInspect<T>, args: [name, args] });
  let outcome = await call();
  if ('missing' in outcome) {
    await injected(target, millis, { files: ['inspect.js'] });
    outcome = await call();
  }
  if ('missing' in outcome) throw new Failure('PAGE_CHANGED', 'The page changed while it was asked.');
  if ('error' in outcome) {
    const { name: kind, message } = outcome.error;
    if (kind === 'InvalidSelector') throw new Failure('INVALID_SELECTOR', message);
    throw new Error(message);
  }
  return outcome.value;
}

/** Runs in the page, in our own world. */
async function callInspect<T>(name: string, args: unknown[]): Promise<Outcome<T>> {
  const inspect = (globalThis as { gasolineInspect?: Inspect }).gasolineInspect;
  if (!inspect) return { missing: true };
  try {
    return { value: (await inspect[name]?.(...args)) as T };
  } catch (error) {
    const { name: kind, message, stack } = error as Error;
    return { error: { name: kind, message, ...(stack !== undefined && { stack }) } };
  }
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
  if (!answer) throw new Failure('PAGE_CHANGED', 'The page went away while it was asked.');
  return answer.result as R;
}

/** A page that is busy answers nothing, not even that it is. */
export async function withinTime<T>(work: Promise<T>, target: Target, millis: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(
        new Failure(
          'QUERY_TIMEOUT',
          `Tab ${target.id} did not answer within ${millis / 1_000} s; its main thread seems to be blocked.`,
        ),
      );
    timer = setTimeout(fail, millis + QUERY_WORKER_MARGIN_MILLIS);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw error instanceof Failure ? error : await explain(error, target);
  } finally {
    clearTimeout(timer);
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
  if (/cannot access|cannot be scripted|extensions gallery/i.test(text)) {
    return new Failure('TAB_RESTRICTED', `Chrome lets no extension into tab ${target.id}: ${text}`);
  }
  if (/crash/i.test(text)) return new Failure('TAB_CRASHED', `Tab ${target.id} has crashed.`);
  if (/frame|document|removed|closed|navigat|disconnected/i.test(text)) {
    return new Failure('PAGE_CHANGED', `Tab ${target.id} went to another page while it was asked.`);
  }
  return error;
}
