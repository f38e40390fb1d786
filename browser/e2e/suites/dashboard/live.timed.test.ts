// Events are shown without a noticeable delay, and so are full buffers.

import { openDashboard } from '../../support/dashboard';
import { fill, play } from './data';
import { expect, test } from './fixture';

test('an event is shown within 200 ms', async ({ page, gasoline }) => {
  await play(gasoline);
  await openDashboard(page, gasoline, 'errors');
  const waited: number[] = [];
  // Other programs on this machine must not count: the test tries again, and uses the best result.
  for (let round = 0; round < 12 && !(Math.min(...waited) < 200); round++) {
    const text = `live error ${'abcdefghijkl'[round]}`;
    const shown = page.evaluate(
      (text) =>
        new Promise<number>((done) => {
          const look = () => {
            if (!document.querySelector('[data-test=panel]')?.textContent?.includes(text)) return;
            observer.disconnect();
            done(Date.now());
          };
          const observer = new MutationObserver(look);
          observer.observe(document.body, { subtree: true, childList: true, characterData: true });
          // It may be there already.
          look();
        }),
      text,
    );
    await page.waitForTimeout(150);
    const sent = Date.now();
    await gasoline.post('/logs', { entries: [{ level: 'error', type: 'console', message: text }] });
    waited.push((await shown) - sent);
  }
  test.info().annotations.push({ type: 'milliseconds', description: waited.join(', ') });
  expect(Math.min(...waited)).toBeLessThan(200);
});

test('full buffers are drawn within 100 ms', async ({ page, gasoline }) => {
  await fill(gasoline);
  const drawn: number[] = [];
  await openDashboard(page, gasoline);
  // Other programs on this machine must not count: the test tries again, and uses the best result.
  for (let round = 0; round < 12 && !(Math.min(...drawn) < 100); round++) {
    if (round > 0) await page.reload();
    await expect(page.locator('[data-test=waterfall]')).toHaveAttribute('data-total', '1650');
    await page.waitForFunction(() => performance.getEntriesByName('drawn').length > 0);
    drawn.push(await page.evaluate(() => performance.getEntriesByName('drawn')[0]?.duration ?? Number.NaN));
  }
  test.info().annotations.push({ type: 'milliseconds', description: drawn.join(', ') });
  expect(Math.min(...drawn)).toBeLessThan(100);
});
