// Five quiet minutes, as Chrome decides over its workers when no debugger holds them.

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { Agent } from '../../support/agent';
import { openRaw } from '../../support/chromium';
import { Gasoline } from '../../support/gasoline';
import { Site } from '../../support/site';

const IDLE_MINUTES = 5;

test('a browser left alone for five minutes answers at once', async () => {
  test.setTimeout((IDLE_MINUTES + 1) * 60_000);
  const gasoline = await new Gasoline().start();
  const site = await Site.open(import.meta.dirname);
  site.routes.set('/idle', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Idle</title><h1>Idle</h1>'),
  );
  const agent = new Agent(gasoline);
  const close = openRaw(site.url('/idle'), gasoline.extension());
  const ask = async () => {
    const started = performance.now();
    const { matchCount } = await agent.call('query_dom', { selector: 'h1' });
    return { matchCount, took: performance.now() - started };
  };
  try {
    await expect.poll(async () => (await ask()).matchCount, { timeout: 20_000 }).toBe(1);
    await wait(IDLE_MINUTES * 60_000);
    const answers = [await ask(), await ask(), await ask()];
    console.log(`after ${IDLE_MINUTES} idle minutes: ${answers.map(({ took }) => took.toFixed(1)).join(', ')} ms`);
    expect(answers.map(({ matchCount }) => matchCount)).toEqual([1, 1, 1]);
    // The machine has other things to do: the first answer has some leeway, but no worker starts in that time.
    expect(answers[0]?.took).toBeLessThan(500);
    expect(Math.min(...answers.map(({ took }) => took))).toBeLessThan(100);
  } finally {
    close();
    await agent.close();
    await site.close();
    await gasoline.dispose();
  }
});
