// Calls the functions of `enrich.js` in the same document that had the error.

import type { EnrichFunctions } from '../../enrich';
import type { Outcome } from '../../inspect/outcome';
import type { Page } from './source-maps';

export async function callInPage<Name extends keyof EnrichFunctions>(
  page: Page,
  name: Name,
  ...args: Parameters<EnrichFunctions[Name]>
): Promise<ReturnType<EnrichFunctions[Name]>> {
  type Result = ReturnType<EnrichFunctions[Name]>;
  const target = { tabId: page.tabId, documentIds: [page.id] };
  const shared = { target, world: 'MAIN', injectImmediately: true } as const;
  const call = async () => {
    const [answer] = await chrome.scripting.executeScript({ ...shared, func: run, args: [name, args] });
    return answer?.result as Outcome<Result> | 'missing' | undefined;
  };
  let outcome = await call();
  if (outcome === 'missing') {
    await chrome.scripting.executeScript({ ...shared, files: ['enrich.js'] });
    outcome = await call();
  }
  if (!outcome || outcome === 'missing') throw new Error('the page does not answer');
  if ('error' in outcome) throw new Error(`${outcome.error.name}: ${outcome.error.message}`);
  return outcome.value;
}

/** Runs in the page. It is sent there as text, so it cannot refer to anything outside itself. */
function run(name: string, args: unknown[]): Outcome<unknown> | 'missing' {
  const own = (object: unknown, key: string): unknown =>
    object ? Reflect.getOwnPropertyDescriptor(object as object, key)?.value : undefined;
  const found = own(own(own(own(window, '__gasoline'), 'recall'), 'enrich'), name);
  if (typeof found !== 'function') return 'missing';
  try {
    return { value: found(...args) };
  } catch (error) {
    return { error: { name: 'Error', message: String(error) } };
  }
}
