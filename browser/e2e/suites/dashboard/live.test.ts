// Events are shown as they happen.

import { link, openDashboard } from '../../support/dashboard';
import { fill } from './data';
import { expect, test } from './fixture';

test('full buffers are drawn, and stay in sync with the server', async ({ page, gasoline }) => {
  await fill(gasoline);
  await openDashboard(page, gasoline);
  await expect(page.locator('[data-test=waterfall]')).toHaveAttribute('data-total', '1650');
  // The document contains only the visible lines.
  expect(await page.locator('.line').count()).toBeLessThan(60);
  await expect(page.locator('[data-test=shown]')).toHaveText('1,650 events');

  // The oldest lines disappear here when the buffers evict them.
  await gasoline.post('/logs', { entries: [{ level: 'log', type: 'console', message: 'the newest line' }] });
  await expect(page.locator('.line').last()).toContainText('the newest line');
  await expect(page.locator('[data-test=waterfall]')).toHaveAttribute('data-total', '1650');
  await gasoline.post('/clear');
  await expect(page.locator('[data-test=empty]')).toContainText('Nothing on the timeline');
});

test('the lines being read stay in place while full buffers change', async ({ page, gasoline }) => {
  await fill(gasoline);
  await openDashboard(page, gasoline);
  const list = page.locator('[data-test=waterfall]');
  await expect(list).toHaveAttribute('data-total', '1650');
  await list.evaluate((element) => {
    element.scrollTop = 28 * 900 + 9;
  });
  const left = async () =>
    Number(/(\d+) older/.exec((await page.locator('.buffers div').first().getAttribute('title')) ?? '')?.[1] ?? 0);
  const log = async () => {
    const known = await left();
    const entries = Array.from({ length: 150 }, (_, place) => ({
      level: 'log',
      type: 'console',
      message: `later ${place}`,
    }));
    await gasoline.post('/logs', { entries });
    await expect.poll(left).toBe(known + 150);
  };
  // The line at the upper edge, and how much of it is above that edge.
  const atTop = () =>
    list.evaluate((element) => {
      const { top } = element.getBoundingClientRect();
      const lines = [...element.querySelectorAll('.line')];
      const line = lines.find((each) => each.getBoundingClientRect().bottom > top + 1);
      return [line?.id, Math.round((line?.getBoundingClientRect().top ?? 0) - top)];
    });
  // There are lines at the scroll position, and they stay.
  let last: unknown;
  const hasSettled = async () => {
    const [now, known] = [await atTop(), last];
    last = now;
    const offset = Number(now[1]);
    const isLineThere = now[0] !== undefined && offset <= 0 && offset > -28;
    return isLineThere && JSON.stringify(now) === JSON.stringify(known);
  };
  await expect.poll(hasSettled, { intervals: [100] }).toBe(true);
  const before = await atTop();
  await log();
  expect(await atTop()).toEqual(before);

  const box = await list.boundingBox();
  await page.mouse.click((box?.x ?? 0) + 250, (box?.y ?? 0) + 150);
  const chosen = list.locator('[aria-selected=true]');
  const [id, place] = [await chosen.getAttribute('id'), (await chosen.boundingBox())?.y];
  await log();
  expect([await chosen.getAttribute('id'), (await chosen.boundingBox())?.y]).toEqual([id, place]);
  await expect(list).not.toContainText('later');
});

test('a hidden tab disconnects, and catches up when it is shown again', async ({ page, gasoline }) => {
  await openDashboard(page, gasoline);
  const hide = (hidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await hide(true);
  await gasoline.post('/logs', { entries: [{ level: 'log', type: 'console', message: 'while away' }] });
  await page.waitForTimeout(500);
  expect(await page.content()).not.toContain('while away');
  await hide(false);
  await expect(page.locator('.line').last()).toContainText('while away');
});

test('events before the first frame are not missed', async ({ page, gasoline }) => {
  // A busy machine: the server is faster than the screen, and then nothing else happens.
  await page.addInitScript(() => {
    const { EventSource, setTimeout } = window;
    const { addEventListener } = EventSource.prototype;
    EventSource.prototype.addEventListener = function (kind: string, listener: unknown) {
      addEventListener.call(this, kind, listener as EventListener, { once: true });
    };
    window.requestAnimationFrame = (callback) => setTimeout(() => callback(performance.now()), 400);
    window.cancelAnimationFrame = (frame) => clearTimeout(frame);
    window.setTimeout = ((callback: () => void, wait = 0) => setTimeout(callback, wait + 400)) as typeof setTimeout;
  });
  await openDashboard(page, gasoline);
  await expect(page.locator('[data-test=line]')).toHaveText('Live');
  await expect(page.locator('[data-test=browser]')).toHaveText('No browser');
});

test('a tab that is hidden and shown in quick succession has one connection', async ({ page, gasoline }) => {
  // The state is requested, and the tab changes before it arrives.
  await page.addInitScript(() => {
    const lines: EventSource[] = [];
    const { EventSource } = window;
    window.EventSource = class extends EventSource {
      constructor(address: string | URL) {
        super(address);
        lines.push(this);
      }
    };
    const { fetch } = window;
    window.fetch = async (...asked) => {
      if (String(asked[0]).endsWith('state')) await new Promise((done) => setTimeout(done, 300));
      return fetch(...asked);
    };
    Object.assign(window, { open: () => lines.filter((line) => line.readyState !== EventSource.CLOSED).length });
  });
  await page.goto(link(gasoline));
  await page.waitForFunction(() => location.hash === '');
  for (const hidden of [true, false, true, false]) {
    await page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  }
  await page.locator('[data-test=line][data-state=connected]').waitFor();
  await page.waitForTimeout(700);
  expect(await page.evaluate(() => (window as unknown as { open(): number }).open())).toBe(1);
});

test('the dashboard shows warnings of the extension', async ({ page, gasoline }) => {
  await openDashboard(page, gasoline);
  const logs = [{ level: 'warn', message: 'sending failed', context: { problem: '500' } }];
  await gasoline.post('/extension-logs', { logs });
  await expect(page.locator('[data-test=notice]', { hasText: 'The extension reports: sending failed' })).toBeVisible();
});
