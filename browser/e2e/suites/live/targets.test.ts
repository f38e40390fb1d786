// Which tab is queried, and the message for a tab that cannot be.

import { Site } from '../../support/site';
import { crash, expect, test } from './live';

test('a query goes to the active tab, or to the one it names', async ({ open, agent, site }) => {
  const first = await open('/?first');
  const second = await open('/?second');
  expect((await agent.call('get_page_info')).tab).toEqual({ id: second.tab_id, url: site.url('/?second') });
  expect((await agent.call('get_page_info', { tab_id: first.tab_id })).tab).toEqual({
    id: first.tab_id,
    url: site.url('/?first'),
  });
  await first.page.bringToFront();
  expect((await agent.call('get_page_info')).tab.id).toBe(first.tab_id);
});

test('a closed tab is reported', async ({ open, agent }) => {
  const gone = await open('/?gone');
  const other = await open('/?other');
  await gone.page.close();
  const answer = await agent.call('get_page_info', { tab_id: gone.tab_id });
  expect(answer.error).toBe('not_found');
  expect(answer.message).toContain(`No tab has the id ${gone.tab_id}`);
  expect(answer.hint).toContain(`${other.tab_id} (`);
});

test('pages of Chrome itself and pages that could not be loaded are reported', async ({
  open,
  agent,
  context,
  worker,
}) => {
  const app = await open();
  const gone = await Site.open(import.meta.dirname);
  const address = gone.url();
  await gone.close();
  const front = () => worker.evaluate(async () => (await chrome.tabs.query({ active: true })).at(-1)?.id);
  for (const [url, words] of [
    ['chrome://version', 'a page of the browser itself'],
    ['about:blank', 'does not let extensions'],
    [worker.url().replace('background.js', 'options.html'), 'chrome-extension: page'],
    ['data:text/html,<h1>x', 'does not let extensions'],
  ] as const) {
    const page = await context.newPage();
    await page.goto(url);
    const answer = await agent.call('get_page_info', { tab_id: await front() });
    expect(answer, url).toMatchObject({ error: 'browser_error', message: expect.stringContaining(words) });
    expect(answer.hint, url).toContain(`${app.tab_id} (`);
    await page.close();
  }
  const broken = await context.newPage();
  await broken.goto(address).catch(() => {});
  // Playwright reports the page before Chrome shows it.
  const told = async () => (await agent.call('get_page_info', { tab_id: await front() })).message;
  await expect.poll(told).toContain("shows Chrome's error page");
  await broken.close();
});

test('a site that is not enabled cannot be queried', async ({ open, agent, site, context, settings, worker }) => {
  await open();
  const { port } = new URL(site.url());
  const foreign = await context.newPage();
  await foreign.goto(`http://plain.example:${port}/`);
  await foreign.bringToFront();
  for (const tool of ['get_page_info', 'take_screenshot', 'run_accessibility_audit']) {
    const answer = await agent.call(tool);
    expect(answer, tool).toMatchObject({ error: 'disabled', message: expect.stringContaining('plain.example') });
    expect(answer.hint).toContain('enable this site');
  }
  await settings({ sites: ['local', 'plain.example'] });
  expect((await agent.call('get_page_info')).title).toBe('Live');
  await worker.evaluate(() => chrome.storage.local.remove('settings'));
  await foreign.close();
});

test('an unloaded tab is reported', async ({ open, agent, worker }) => {
  const asleep = await open('/?asleep');
  await open('/?awake');
  const id = await worker.evaluate(async (id) => (await chrome.tabs.discard(id))?.id, asleep.tab_id);
  const answer = await agent.call('get_page_info', { tab_id: id });
  expect(answer).toMatchObject({ error: 'browser_error', message: expect.stringContaining('asleep') });
  expect(answer.hint).toContain('click that tab');
  await worker.evaluate((id) => (id === undefined ? undefined : chrome.tabs.remove(id)), id);
});

test('a crashed tab is reported', async ({ open, agent }) => {
  const crashed = await open('/?crash');
  const other = await open('/?other');
  await crash(crashed.page);
  const answer = await agent.call('get_page_info', { tab_id: crashed.tab_id });
  expect(answer).toMatchObject({ error: 'browser_error', message: expect.stringContaining('crashed') });
  expect(answer.hint).toContain('reload that tab');
  expect((await agent.call('get_page_info', { tab_id: other.tab_id })).title).toBe('Live');
});

test('after an answer the server knows the active tab', async ({ open, agent, site }) => {
  const { tab_id } = await open('/?front');
  // Queried at once: the extension collects news of tabs before it reports them.
  expect((await agent.call('get_page_info')).url).toBe(site.url('/?front'));
  const { tabs } = await agent.call('get_status');
  expect(tabs).toContainEqual(expect.objectContaining({ id: tab_id, url: site.url('/?front'), active: true }));
});
