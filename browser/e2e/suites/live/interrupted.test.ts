// What happens to a query when the page, the tab or the extension goes away during it.

import type { Page } from '@playwright/test';
import { Agent } from '../../support/agent';
import { developerMode, extensionWorker, launch } from '../../support/chromium';
import { Gasoline } from '../../support/gasoline';
import { Site } from '../../support/site';
import { expect, keepBusy, test } from './live';

/** A query that the page never answers. */
const ENDLESS = { script: 'window.asked = true; await new Promise(() => {})', timeout_ms: 15_000 };
const isAsked = (page: Page) => page.waitForFunction(() => (window as { asked?: boolean }).asked);

test('the query of a busy page meets its deadline and does not delay other queries', async ({
  open,
  agent,
  settings,
  gasoline,
  site,
}) => {
  await settings({ allowExecuteJs: true });
  const idle = await open('/?idle');
  const busy = await open('/?busy');
  await keepBusy(busy.page, site);
  const second = new Agent(gasoline);
  const other = () => second.call('get_page_info', { tab_id: idle.tab_id });
  // Make sure that it is connected before measuring.
  await other();
  const ask = async () => {
    const began = Date.now();
    let isAnswered = false;
    const late = agent
      .call('execute_js', { script: '1', timeout_ms: 2_000, tab_id: busy.tab_id })
      .finally(() => (isAnswered = true));
    expect((await other()).title).toBe('Live');
    const isHeldUp = isAnswered;
    expect(await late).toMatchObject({ error: 'browser_timeout', message: expect.stringContaining('blocked') });
    expect(Date.now() - began).toBeGreaterThan(2_000);
    return isHeldUp;
  };
  // Other programs on this machine only delay answers, so a delayed query is repeated.
  let isHeldUp = await ask();
  for (let again = 0; again < 3 && isHeldUp; again++) isHeldUp = await ask();
  expect(isHeldUp).toBe(false);
  await second.close();
});

test('a query ends when the page navigates', async ({ open, agent, settings, site }) => {
  await settings({ allowExecuteJs: true });
  const { page, tab_id } = await open();
  const asked = agent.call('execute_js', { ...ENDLESS, tab_id });
  await isAsked(page);
  const began = Date.now();
  await page.goto(site.url('/?elsewhere'));
  const answer = await asked;
  expect(answer).toMatchObject({ error: 'browser_error', message: expect.stringContaining('another page') });
  expect(answer.hint).toContain('call again');
  // It ends before its deadline.
  expect(Date.now() - began).toBeLessThan(ENDLESS.timeout_ms - 1_000);
  expect((await agent.call('get_page_info', { tab_id })).url).toBe(site.url('/?elsewhere'));
});

test('a query ends when its tab is closed', async ({ open, agent, settings }) => {
  await settings({ allowExecuteJs: true });
  await open('/?stays');
  const { page, tab_id } = await open();
  const asked = agent.call('execute_js', { ...ENDLESS, tab_id });
  await isAsked(page);
  await page.close();
  const answer = await asked;
  expect(answer).toMatchObject({ error: 'not_found', message: expect.stringContaining('closed') });
});

test('two simultaneous AI clients each get their own answer', async ({ open, agent, gasoline, settings }) => {
  await settings({ allowExecuteJs: true });
  await open();
  const second = new Agent(gasoline);
  const ask = (who: Agent, text: string) =>
    who.call('execute_js', { script: `await new Promise((done) => setTimeout(() => done("${text}"), 50))` });
  for (let round = 0; round < 5; round++) {
    const [one, two] = await Promise.all([ask(agent, `one ${round}`), ask(second, `two ${round}`)]);
    expect([one.value, two.value]).toEqual([`one ${round}`, `two ${round}`]);
  }
  await second.close();
});

test('a query is answered when the extension is reloaded', async () => {
  // In a separate browser: afterwards it has a new worker, which other tests could not use.
  const gasoline = await new Gasoline().start();
  const site = await Site.open(import.meta.dirname);
  const context = await launch(gasoline.extension());
  const agent = new Agent(gasoline);
  try {
    const worker = await extensionWorker(context);
    const page = await context.newPage();
    await developerMode(page);
    await page.goto(site.url());
    await expect.poll(async () => (await agent.call('get_page_info')).title).toBe('Live');
    // Busy, so that the query is still unanswered when the extension is reloaded.
    await page.evaluate(() => {
      setTimeout(() => {
        const until = performance.now() + 1_500;
        while (performance.now() < until);
      }, 50);
    });
    await new Promise((done) => setTimeout(done, 150));
    const asked = agent.call('get_page_info');
    await new Promise((done) => setTimeout(done, 300));
    await worker.evaluate(() => chrome.runtime.reload()).catch(() => {});
    // The reloaded extension gets the same query.
    expect(await asked).toMatchObject({ title: 'Live', url: site.url() });
  } finally {
    await agent.close();
    await context.close();
    await site.close();
    await gasoline.dispose();
  }
});
