// The worker's life as Chrome decides it. A debugger keeps a worker alive, so here no Playwright is attached.

import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { Answer } from '../../support/agent';
import { chromiumPath, QUIET_FLAGS } from '../../support/chromium';
import { Gasoline } from '../../support/gasoline';
import { Site } from '../../support/site';
import { temporaryFolder } from '../../support/temporary';

test('a quiet browser stays connected, and comes back by itself when the server was away', async () => {
  test.setTimeout(180_000);
  const gasoline = await new Gasoline().start();
  const site = await Site.open(import.meta.dirname);
  const extension = gasoline.extension();
  const flags = [
    '--headless=new',
    `--user-data-dir=${temporaryFolder('profile')}`,
    `--load-extension=${extension}`,
    `--disable-extensions-except=${extension}`,
  ];
  const browser = spawn(chromiumPath(), [...QUIET_FLAGS, ...flags, site.url()], { stdio: 'ignore', detached: true });
  try {
    const connected = async () =>
      (await gasoline.get<Answer>('/health').catch(() => ({}) as Answer)).extension?.connected ?? false;
    await expect.poll(connected, { timeout: 20_000 }).toBe(true);
    // Longer than Chrome lets an idle worker live.
    for (let second = 0; second < 36; second++) {
      await wait(1_000);
      expect(await connected(), `after ${second} s`).toBe(true);
    }
    await gasoline.stop();
    await wait(40_000);
    await gasoline.start();
    const back = Date.now();
    await expect.poll(connected, { timeout: 40_000 }).toBe(true);
    console.log(`connected again ${Date.now() - back} ms after the server was back`);
    // What the page said while nobody listened.
    const ticks = async () =>
      (await gasoline.get<Answer>('/logs')).entries.filter(({ message }: Answer) => message.startsWith('tick')).length;
    await expect.poll(ticks, { timeout: 20_000 }).toBeGreaterThanOrEqual(7);
  } finally {
    if (browser.pid) process.kill(-browser.pid, 'SIGKILL');
    await site.close();
    await gasoline.dispose();
  }
});

test('a reloaded extension takes its open pages over', async () => {
  test.setTimeout(90_000);
  const { developerMode, launch, extensionWorker } = await import('../../support/chromium');
  const gasoline = await new Gasoline().start();
  const site = await Site.open(import.meta.dirname);
  const context = await launch(gasoline.extension());
  try {
    const worker = await extensionWorker(context);
    const connected = async () => (await gasoline.get<Answer>('/health')).extension.connected;
    await expect.poll(connected).toBe(true);
    const page = await context.newPage();
    await developerMode(page);
    await page.goto(site.url());
    const said = async (text: string) =>
      (await gasoline.get<Answer>('/logs')).entries.filter(({ message }: Answer) => message === text).length;
    await page.evaluate(() => console.error('before'));
    await expect.poll(() => said('before')).toBe(1);
    const gone = worker.waitForEvent('close');
    await worker.evaluate(() => chrome.runtime.reload()).catch(() => {});
    await gone;
    // Until one is heard, the page is not taken over yet.
    let probes = 0;
    const probe = async () => {
      await page.evaluate((number) => console.error(`probe ${number}`), ++probes);
      const { entries } = await gasoline.get<Answer>('/logs');
      return entries.some(({ message }: Answer) => message.startsWith('probe '));
    };
    await expect.poll(probe, { timeout: 30_000 }).toBe(true);
    await page.evaluate(() => console.error('after'));
    await expect.poll(() => said('after'), { timeout: 15_000 }).toBe(1);
    // Wrapped once, not twice.
    await wait(1_000);
    expect(await said('after')).toBe(1);
  } finally {
    await context.close();
    await site.close();
    await gasoline.dispose();
  }
});
