// Runs an AI client's code in the page's own world, where the user allowed that.

import type { Settings } from '../../shared/settings';
import { Failure } from './failure';
import { injected, withinTime } from './inject';
import { type RunOutcome, runFromText, runInPage } from './run-in-page';
import type { Target } from './target';

/** `value` and `type` as told to the model, and which way the code went in. */
type Told = RunOutcome & { ran_in: 'page' | 'user script' };

export async function executeJs(target: Target, script: string, millis: number, settings: Settings): Promise<Told> {
  if (!settings.allowExecuteJs) {
    throw new Failure('EXECUTE_JS_OFF', 'The user has not allowed AI clients to run JavaScript.');
  }
  const outcome = await injected<RunOutcome | 'forbidden', [string, string, number]>(target, millis, {
    world: 'MAIN',
    func: runFromText,
    args: [runInPage.toString(), script, millis],
  });
  if (outcome !== 'forbidden') return { ...outcome, ran_in: 'page' };
  return { ...(await asUserScript(target, script, millis)), ran_in: 'user script' };
}

/** The page forbids code from texts. What Chrome injects itself is not bound by that. */
async function asUserScript(target: Target, script: string, millis: number): Promise<RunOutcome> {
  const userScripts = chrome.userScripts as typeof chrome.userScripts | undefined;
  if (!userScripts?.execute) {
    throw new Failure(
      'USER_SCRIPTS_OFF',
      "This page's content security policy forbids running code from text. Chrome could run it as a user script, but user scripts are not allowed for Gasoline.",
    );
  }
  const run = async (body: string) => {
    const code = `(${runInPage.toString()})(async (console) => {${body}\n}, ${millis})`;
    const work = userScripts.execute({
      target: { tabId: target.id, frameIds: [0] },
      world: 'MAIN',
      injectImmediately: true,
      js: [{ code }],
    });
    const [injection] = await withinTime(work, target, millis);
    return injection;
  };
  // What ran is never run again: only what could not be parsed as an expression is tried as statements.
  const asExpression = await run(`return (${script}\n)`);
  const first = outcomeOf(asExpression, target);
  if (first !== 'unparsed') return first;
  const asStatements = await run(script);
  const second = outcomeOf(asStatements, target);
  if (second !== 'unparsed') return second;
  const message = asStatements?.error ?? 'the script could not be parsed';
  return { success: false, value: null, type: 'error', error: { name: 'SyntaxError', message }, console: [] };
}

function outcomeOf(
  injection: { result?: unknown; error?: string } | undefined,
  target: Target,
): RunOutcome | 'unparsed' {
  if (typeof injection?.result === 'object' && injection.result !== null) return injection.result as RunOutcome;
  if (/syntaxerror|unexpected|invalid|missing/i.test(injection?.error ?? '')) return 'unparsed';
  throw new Failure('PAGE_CHANGED', `Tab ${target.id} went to another page while the script ran.`);
}
