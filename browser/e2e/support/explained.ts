// The extension looks for the context of an error for three seconds. If the machine stalls all that time, the context
// never comes, and the page has to fail again.

import { setTimeout as wait } from 'node:timers/promises';
import type { Agent, Answer } from './agent';
import type { Gasoline } from './gasoline';

const TRIES = 3;
/** Longer than the extension looks for context. */
const PATIENCE_MILLIS = 5_000;

/** Repeats the failure until its report fits. */
export async function failUntil(
  fail: () => Promise<unknown>,
  told: () => Promise<Answer>,
  fits: (answer: Answer) => unknown,
): Promise<Answer> {
  let last: Answer = {};
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) console.log(`not explained in time, tried again: ${JSON.stringify(last).slice(0, 300)}`);
    await fail();
    const until = Date.now() + PATIENCE_MILLIS;
    while (Date.now() < until) {
      last = await told();
      if (fits(last)) return last;
      await wait(50);
    }
  }
  throw new Error(`it failed ${TRIES} times and never fit; last: ${JSON.stringify(last, null, 1).slice(0, 3_000)}`);
}

/** The errors, once they have their context. `fail` reloads the page, because a document remembers its errors. */
export function explained(
  { gasoline, agent }: { gasoline: Gasoline; agent: Agent },
  fail: () => Promise<unknown>,
  isComplete: (answer: Answer) => unknown,
): Promise<Answer> {
  const afresh = async () => {
    await gasoline.post('/clear');
    await fail();
  };
  return failUntil(afresh, () => agent.call('get_browser_errors'), isComplete);
}
