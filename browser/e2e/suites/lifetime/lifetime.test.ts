// An extension that is reloaded while its pages are open.

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { Answer } from '../../support/agent';
import { Gasoline } from '../../support/gasoline';
import { Site } from '../../support/site';

test('a reloaded extension takes over its open pages', async () => {
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
    // Until a probe arrives, the page has not been taken over.
    let probes = 0;
    const probe = async () => {
      await page.evaluate((number) => console.error(`probe ${number}`), ++probes);
      const { entries } = await gasoline.get<Answer>('/logs');
      return entries.some(({ message }: Answer) => message.startsWith('probe '));
    };
    await expect.poll(probe, { timeout: 60_000 }).toBe(true);
    await page.evaluate(() => console.error('after'));
    await expect.poll(() => said('after'), { timeout: 60_000 }).toBe(1);
    // Functions are wrapped once, not twice.
    await wait(1_000);
    expect(await said('after')).toBe(1);
  } finally {
    await context.close();
    await site.close();
    await gasoline.dispose();
  }
});
