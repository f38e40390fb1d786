// Runs an AI client's code in the page's own world, if the user has allowed that.

import { parse } from 'acorn';
import type { ScriptOutcome } from 'gasoline-capture/wire.gen';
import type { Settings } from '../../shared/settings';
import { Failure } from './failure';
import { injected, withinTime } from './inject';
import { runFromText, runInPage } from './run-in-page';
import type { Target } from './target';

export async function executeJs(
  target: Target,
  script: string,
  millis: number,
  settings: Settings,
): Promise<ScriptOutcome> {
  if (!settings.allowExecuteJs) {
    throw new Failure('EXECUTE_JS_OFF', 'The user has not allowed AI clients to run JavaScript.');
  }
  const outcome = await injected<ScriptOutcome | 'forbidden', [string, string, number]>(target, millis, {
    world: 'MAIN',
    func: runFromText,
    args: [runInPage.toString(), script, millis],
  });
  if (outcome !== 'forbidden') return { ...outcome, ran_in: 'page' };
  return { ...(await asUserScript(target, script, millis)), ran_in: 'user script' };
}

/** For pages that forbid running code from text. Scripts that Chrome injects itself are exempt. */
async function asUserScript(target: Target, script: string, millis: number): Promise<ScriptOutcome> {
  const userScripts = chrome.userScripts as typeof chrome.userScripts | undefined;
  if (!userScripts?.execute) {
    throw new Failure(
      'USER_SCRIPTS_OFF',
      "This page's content security policy forbids running code from text. Chrome could run it as a user script, but user scripts are not allowed for Gasoline.",
    );
  }
  const body = bodyOf(script);
  if ('error' in body) return { success: false, value: null, type: 'error', error: body.error, console: [] };
  const code = `(${runInPage.toString()})(async (console) => {${body.code}\n}, ${millis})`;
  const work = userScripts.execute({
    target: { tabId: target.id, frameIds: [0] },
    world: 'MAIN',
    injectImmediately: true,
    js: [{ code }],
  });
  const [injection] = await withinTime(work, target, millis);
  const result = injection?.result as ScriptOutcome | null | undefined;
  if (result == null) throw new Failure('PAGE_CHANGED', `Tab ${target.id} went to another page while the script ran.`);
  return result;
}

/**
 * An expression gives its value; statements `return` theirs. They are distinguished here, because a failed attempt
 * would be visible in the page.
 */
function bodyOf(script: string): { code: string } | { error: { name: string; message: string } } {
  const problemOf = (code: string) => {
    try {
      parse(`async (console) => {${code}\n}`, { ecmaVersion: 'latest' });
      return undefined;
    } catch (error) {
      return error as Error;
    }
  };
  const expression = `return (${script}\n)`;
  if (!problemOf(expression)) return { code: expression };
  const problem = problemOf(script);
  return problem ? { error: { name: 'SyntaxError', message: problem.message } } : { code: script };
}
