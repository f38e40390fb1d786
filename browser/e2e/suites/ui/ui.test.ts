// The extension's own pages: what they say in each state, and that everyone can use them.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { Answer } from '../../support/agent';
import { Gasoline } from '../../support/gasoline';
import { expect, test } from '../../support/test';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function violations(page: Page): Promise<unknown[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<Answer> } }).axe.run(),
  );
  return violations.map(({ id, nodes }: Answer) => `${id}: ${nodes.map((node: Answer) => node.html).join(' ')}`);
}

const optionsPage = async (page: Page, worker: { url(): string }) => {
  await page.goto(worker.url().replace('background.js', 'options.html'));
  // The settings are displayed.
  await expect(page.locator('#debugMode')).toBeEnabled();
};

for (const colorScheme of ['light', 'dark'] as const) {
  test(`popup and options are accessible, ${colorScheme}`, async ({ page, site, popup, context, worker }) => {
    await page.goto(site.url());
    const panel = await popup(page);
    await panel.emulateMedia({ colorScheme });
    await expect(panel.locator('[data-test=connection-state]')).toHaveText(/connected/i);
    expect(await violations(panel)).toEqual([]);
    for (const id of [
      'captureNetworkBodies',
      'screenshotOnError',
      'networkWaterfall',
      'performanceMarks',
      'allowExecuteJs',
    ]) {
      await panel.locator(`#${id}`).setChecked(true);
    }
    expect(await violations(panel)).toEqual([]);
    await panel.close();
    const options = await context.newPage();
    await options.emulateMedia({ colorScheme });
    await optionsPage(options, worker);
    expect(await violations(options)).toEqual([]);
    await options.close();
  });
}

test('every switch of the popup can be reached and toggled with the keyboard', async ({
  page,
  site,
  popup,
  worker,
}) => {
  await page.goto(site.url());
  const panel = await popup(page);
  await expect(panel.locator('[data-test=connection-state]')).toHaveText(/connected/i);
  const wanted = new Set(
    await panel.locator('input[role=switch]').evaluateAll((inputs) => inputs.map((input) => input.id)),
  );
  expect(wanted.size).toBeGreaterThanOrEqual(9);
  for (let step = 0; step < 60 && wanted.size > 0; step++) {
    await panel.keyboard.press('Tab');
    const id = await panel.evaluate(() =>
      document.activeElement?.matches('input[role=switch]') ? document.activeElement.id : '',
    );
    if (!wanted.delete(id)) continue;
    if (id !== 'captureWebSockets') continue;
    await panel.keyboard.press('Space');
    await expect
      .poll(() => worker.evaluate(async () => (await chrome.storage.local.get('settings')).settings))
      .toMatchObject({ captureWebSockets: false });
  }
  expect([...wanted]).toEqual([]);
  await panel.close();
});

test('counts are those of this tab, and clear resets everything', async ({ page, site, popup, agent, eventually }) => {
  await page.goto(site.url());
  const panel = await popup(page);
  await page.evaluate(async () => {
    console.error('one');
    console.error('two');
    console.warn('careful');
    console.log('plain');
    await fetch('/nothing-here');
  });
  await expect(panel.locator('[data-test=count-errors]')).toHaveText('2');
  await expect(panel.locator('[data-test=count-warnings]')).toHaveText('1');
  await expect(panel.locator('[data-test=count-logs]')).toHaveText('1');
  await expect(panel.locator('[data-test=count-requests]')).toContainText('1');
  await expect(panel.locator('[data-test=count-failed-requests]')).toContainText('1');
  await eventually('get_browser_errors', {}, ({ total }) => total === 3);
  await panel.locator('[data-test=clear]').click();
  await panel.locator('[data-test=clear-yes]').click();
  await expect(panel.locator('[data-test=message]')).toContainText(/cleared \d+ entries/i);
  expect((await agent.call('get_browser_errors')).total).toBe(0);
  await expect(panel.locator('[data-test=count-errors]')).toHaveText('0');
  await panel.close();
});

test('the badge counts errors of the tab and warns when the server is unreachable', async ({
  page,
  site,
  gasoline,
  worker,
}) => {
  await page.goto(site.url());
  const badge = () =>
    worker.evaluate(async (url) => {
      const tab = (await chrome.tabs.query({})).find((tab) => tab.url === url);
      return chrome.action.getBadgeText({ tabId: tab?.id as number });
    }, page.url());
  await page.bringToFront();
  await page.evaluate(() => console.error('badge'));
  await expect.poll(badge).toBe('1');
  await gasoline.stop();
  await expect.poll(badge).toBe('!');
  await gasoline.start();
  await expect.poll(badge, { timeout: 60_000 }).toBe('1');
});

test('without a server the popup says what to do, and reconnects on request', async ({
  page,
  site,
  popup,
  gasoline,
}) => {
  await page.goto(site.url());
  await gasoline.stop();
  const panel = await popup(page);
  await expect(panel.locator('[data-test=connection-state]')).toHaveText(/disconnected|not connected|paused/i);
  await expect(panel.locator('[data-test=problem]')).toContainText(/nothing answers|went away/i);
  await expect(panel.locator('[data-test=start-command]')).toContainText(`gasoline serve --port ${gasoline.port}`);
  expect(await violations(panel)).toEqual([]);
  await gasoline.start();
  await panel.locator('[data-test=reconnect]').click();
  await expect(panel.locator('[data-test=connection-state]')).toHaveText(/^connected/i);
  await panel.close();
});

test('the options page checks, tests and uses the address of the server', async ({
  page,
  site,
  worker,
  context,
  gasoline,
  agent,
}) => {
  const other = await new Gasoline().start();
  const options = await context.newPage();
  await optionsPage(options, worker);
  const input = options.locator('[data-test=server-input]');
  const message = options.locator('[data-test=server-message]');
  await input.fill('http://example.com:7890');
  await options.locator('[data-test=server-test]').click();
  await expect(message).toContainText('must be on this machine');
  await input.fill('http://127.0.0.1:1');
  await options.locator('[data-test=server-test]').click();
  await expect(message).toContainText('gasoline serve');
  await input.fill(other.address);
  await options.locator('[data-test=server-test]').click();
  await expect(message).toContainText(/Gasoline .* answers/);
  await options.locator('[data-test=server-save]').click();
  await expect.poll(async () => (await other.get<Answer>('/health')).extension.connected).toBe(true);
  await expect.poll(async () => (await agent.call('get_status')).connected).toBe(false);
  await page.goto(site.url());
  await page.evaluate(() => console.error('to the other one'));
  await expect.poll(async () => JSON.stringify(await other.get('/logs'))).toContain('to the other one');
  await input.fill(gasoline.address);
  await options.locator('[data-test=server-save]').click();
  await expect.poll(async () => (await agent.call('get_status')).connected).toBe(true);
  expect(JSON.stringify(await gasoline.get('/logs'))).not.toContain('to the other one');
  await options.close();
  await other.dispose();
});

test('the options page adds and removes sites, and explains invalid ones', async ({
  page,
  site,
  worker,
  context,
  eventually,
}) => {
  const options = await context.newPage();
  await optionsPage(options, worker);
  await options.locator('#add-site-input').fill('https://bad.example/path');
  await options.locator('#add-site-input').press('Enter');
  await expect(options.locator('[data-test=add-site-message]')).toContainText('without a path');
  await options.locator('[data-test=site-local]').setChecked(false);
  await eventually('get_status', {}, ({ settings }) => JSON.stringify(settings.sites) === '[]');
  await page.goto(site.url('/', 'shop.test'));
  expect(await page.evaluate(() => '__gasoline' in window)).toBe(false);
  await options.locator('#add-site-input').fill('*.test');
  await options.locator('#add-site-input').press('Enter');
  await eventually('get_status', {}, ({ settings }) => settings.sites.includes('*.test'));
  await page.goto(site.url('/', 'shop.test'));
  await page.evaluate(() => console.error('on the added site'));
  await eventually('get_browser_errors', {}, ({ total }) => total === 1);
  await options.locator('[data-site="*.test"]').click();
  await eventually('get_status', {}, ({ settings }) => JSON.stringify(settings.sites) === '[]');
  await options.close();
});

test('a warning about annotations that make errors large is shown until it is dismissed', async ({
  page,
  site,
  popup,
}) => {
  await page.goto(site.url());
  const panel = await popup(page);
  const fail = (keys: number) =>
    page.evaluate((keys) => {
      const api = (window as unknown as { __gasoline: { annotate(key: string, value: string): void } }).__gasoline;
      for (let index = 0; index < keys; index++) api.annotate(`k${index}`, 'x'.repeat(4_000));
      for (let index = 0; index < 3; index++) console.error(`annotated ${keys} ${index}`);
    }, keys);
  await fail(5);
  await expect(panel.locator('[data-test=count-errors]')).toHaveText('3');
  await panel.waitForTimeout(1_200);
  await expect(panel.locator('[data-test=annotation-warning]')).toBeHidden();
  await fail(6);
  await expect(panel.locator('[data-test=annotation-warning]')).toBeVisible();
  await expect(panel.locator('[data-test=annotation-warning]')).toContainText(
    'Context annotations add 23 KB to each error',
  );
  await panel.locator('[data-test=dismiss-annotation-warning]').click();
  await expect(panel.locator('[data-test=annotation-warning]')).toBeHidden();
  await panel.close();
});

test('the debug log is exported, with metrics', async ({ page, site, popup }) => {
  await page.goto(site.url());
  const panel = await popup(page);
  const [download] = await Promise.all([
    panel.waitForEvent('download'),
    panel.locator('[data-test=export-debug-log]').click(),
  ]);
  const lines = readFileSync((await download.path()) as string, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const perf = lines.find((line) => line.type === 'gasoline:perf');
  expect(Object.keys(perf.metrics).sort()).toEqual([
    'avgInterceptLatencyMs',
    'bodiesSkipped',
    'circuitBreakerState',
    'droppedEvents',
    'memoryUsageMB',
    'networkBodiesBuffered',
    'samplingActive',
    'sendIntervalMs',
    'serverPostSuccessRate',
    'slowPosts',
    'socketsSampledMore',
    'wsEventsBuffered',
  ]);
  await panel.close();
});
