// The worker's life as Chrome decides it. A debugger keeps a worker alive, so Playwright is not attached here.

import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { Answer } from '../../support/agent';
import { chromiumPath, QUIET_FLAGS } from '../../support/chromium';
import { Gasoline } from '../../support/gasoline';
import { Site } from '../../support/site';
import { temporaryFolder } from '../../support/temporary';

test('a quiet browser stays connected, and reconnects by itself when the server was unreachable', async () => {
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
    // The page's lines while nothing was connected.
    const ticks = async () =>
      (await gasoline.get<Answer>('/logs')).entries.filter(({ message }: Answer) => message.startsWith('tick')).length;
    await expect.poll(ticks, { timeout: 20_000 }).toBeGreaterThanOrEqual(7);
  } finally {
    if (browser.pid) process.kill(-browser.pid, 'SIGKILL');
    await site.close();
    await gasoline.dispose();
  }
});
