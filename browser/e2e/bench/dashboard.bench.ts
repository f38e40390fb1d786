// How long the dashboard takes to draw full buffers, and to show what has just come in.

import { test } from '@playwright/test';
import { fill } from '../suites/dashboard/data';
import { launch } from '../support/chromium';
import { openDashboard } from '../support/dashboard';
import { Gasoline } from '../support/gasoline';
import { median, middleHalf, report } from './rows';

const ROUNDS = 15;

test('the dashboard', async () => {
  const gasoline = await new Gasoline().start(['--max-events-per-second', '0']);
  const context = await launch();
  const page = await context.newPage();
  await fill(gasoline);
  await openDashboard(page, gasoline);
  const drawn: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.reload();
    await page.waitForFunction(() => performance.getEntriesByName('drawn').length > 0);
    drawn.push(await page.evaluate(() => performance.getEntriesByName('drawn')[0]?.duration ?? Number.NaN));
  }
  report({
    what: 'dashboard: 1,000 logs, 500 socket events, 100 bodies drawn',
    measured: median(drawn),
    bound: 100,
    unit: 'ms',
    note: middleHalf(drawn),
  });

  await page.locator('[data-test=tab-errors]').click();
  const waited: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const text = `new error ${'abcdefghijklmnopq'[round]}`;
    const shown = page.evaluate(
      (text) =>
        new Promise<number>((done) => {
          const observer = new MutationObserver(() => {
            if (!document.querySelector('[data-test=panel]')?.textContent?.includes(text)) return;
            observer.disconnect();
            done(Date.now());
          });
          observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        }),
      text,
    );
    await page.waitForTimeout(200);
    const sent = Date.now();
    await gasoline.post('/logs', { entries: [{ level: 'error', type: 'console', message: text }] });
    waited.push((await shown) - sent);
  }
  report({
    what: 'dashboard: from ingest to the page, full buffers',
    measured: median(waited),
    bound: 200,
    unit: 'ms',
    note: middleHalf(waited),
  });
  await context.close();
  await gasoline.dispose();
});
