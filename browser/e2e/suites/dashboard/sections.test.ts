// What each section shows, and that everyone can use it: with a mouse, a keyboard, a screen reader or dark colours.

import { openDashboard, showSection } from '../../support/dashboard';
import { play, pretendBrowser } from './data';
import { expect, SECTIONS, test, violations } from './fixture';

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every section is accessible, ${colorScheme}`, async ({ page, gasoline, agent }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${gasoline.address}/`);
    await expect(page.locator('[data-test=locked]')).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await openDashboard(page, gasoline);
    for (const section of SECTIONS) {
      await showSection(page, section);
      expect(await violations(page), `${section}, empty`).toEqual([]);
    }
    await play(gasoline);
    await agent.call('get_browser_errors');
    await agent.raw('query_dom', { selector: '#pay' });
    const leave = await pretendBrowser(gasoline);
    for (const section of SECTIONS) {
      await showSection(page, section);
      await expect(page.locator('[data-test=empty]')).toHaveCount(0);
      if (section === 'timeline') await page.locator('.line').last().click();
      expect(await violations(page), section).toEqual([]);
    }
    leave();
  });
}

test('the header says what is connected, and what to do when nothing is', async ({ page, gasoline }) => {
  await openDashboard(page, gasoline);
  await expect(page.locator('[data-test=browser]')).toHaveText('No browser');
  await expect(page.locator('[data-test=notice]')).toContainText('load the Gasoline extension');
  await expect(page.locator('[data-test=empty]')).toContainText('gasoline install');
  const leave = await pretendBrowser(gasoline);
  await expect(page.locator('[data-test=browser]')).toHaveText('Capturing 1 tab');
  await expect(page.locator('[data-test=notice]')).toHaveCount(0);
  await expect(page.locator('[data-test=empty]')).toContainText('Use your app');
  await gasoline.post('/logs', {
    entries: [
      { level: 'log', message: 'one' },
      { level: 'log', message: 'two' },
    ],
  });
  await expect(page.locator('.buffers div').first()).toContainText(/Console\s*2/);
  leave();
  await expect(page.locator('[data-test=browser]')).toHaveText('No browser');
});

test('each error is listed once, with its place, its code and its components', async ({ page, gasoline }) => {
  await play(gasoline);
  await openDashboard(page, gasoline, 'errors');
  const list = page.getByRole('listbox', { name: 'Errors' });
  const crash = list.getByRole('option').filter({ hasText: "reading 'total'" });
  await expect(crash).toHaveCount(1);
  await expect(crash).toContainText('×2');
  await crash.click();
  const error = page.locator('[data-test=error]');
  await expect(error.locator('[data-test=error-at]')).toHaveText('src/checkout/Summary.tsx:24');
  await expect(error.locator('[data-test=snippet] .here')).toContainText('format(order.total)');
  await expect(error.locator('[data-test=components] li')).toHaveText([
    'App',
    'Router',
    'CheckoutPage',
    'PaymentForm',
    'Summary',
  ]);
  await list.getByRole('option').filter({ hasText: '/api/payments' }).click();
  await expect(error).toContainText('upstream timed out');
});

test('noise is counted, and shown on request', async ({ page, gasoline }) => {
  await gasoline.post('/network-bodies', {
    bodies: [
      { method: 'GET', url: 'http://localhost:5173/favicon.ico', status: 404, pageUrl: 'http://localhost:5173/' },
    ],
  });
  await openDashboard(page, gasoline, 'errors');
  await expect(page.locator('[data-test=panel]')).toContainText('Only noise so far');
  await expect(page.locator('[data-test=tab-errors]')).toHaveText('Errors');
  await page.getByLabel('Show noise (1)').check();
  await expect(page.getByRole('listbox', { name: 'Errors' })).toContainText('favicon.ico');
});

test('a code update appears on the timeline at its time', async ({ page, gasoline }) => {
  const line = (message: string) => ({
    type: 'console',
    level: 'debug',
    message,
    tabId: 1,
    url: 'http://localhost:5173/',
  });
  await openDashboard(page, gasoline);
  await gasoline.post('/logs', { entries: [line('[vite] hot updated: /src/App.jsx')] });
  await expect(page.locator('.line[data-kind=code_update]')).toContainText('hot update by vite');
  await page.locator('.line[data-kind=code_update]').click();
  await expect(page.locator('[data-test=details] h2')).toContainText('hot update by vite');
});

test('on a narrow screen nothing is cut off', async ({ page, gasoline }) => {
  await play(gasoline);
  await page.setViewportSize({ width: 640, height: 900 });
  await openDashboard(page, gasoline);
  for (const section of SECTIONS) {
    await showSection(page, section);
    const wider = await page.evaluate(() => {
      const panel = document.querySelector('#panel') as HTMLElement;
      return [document.documentElement.scrollWidth - innerWidth, panel.scrollWidth - panel.clientWidth];
    });
    expect(wider, section).toEqual([0, 0]);
  }
});

test('captured text is never interpreted as HTML', async ({ page, gasoline }) => {
  const message = '<img src=x onerror="document.title=`taken`"><script>document.title="taken"</script>';
  await gasoline.post('/logs', { entries: [{ level: 'error', type: 'console', message, url: 'javascript:alert(1)' }] });
  await openDashboard(page, gasoline);
  await page.locator('.line').last().click();
  await expect(page.locator('[data-test=details]')).toContainText('<script>');
  await showSection(page, 'errors');
  await expect(page.locator('[data-test=error] h2')).toHaveText(message);
  await expect(page).toHaveTitle('Gasoline');
});

test('no captured credential is visible', async ({ page, gasoline, agent }) => {
  await play(gasoline);
  await agent.raw('get_network_bodies', { url_filter: '/api/orders' });
  await openDashboard(page, gasoline);
  const shown: string[] = [];
  for (const section of SECTIONS) {
    await showSection(page, section);
    for (const item of await page.locator('.item, .line').all()) {
      if (!(await item.isVisible())) continue;
      await item.click();
      shown.push(await page.locator('#app').innerText());
      if (shown.length % 12 === 0) break;
    }
    shown.push(await page.locator('#app').innerText());
  }
  const text = shown.join('\n');
  expect(text).toContain('[secret:');
  for (const secret of ['16C7e42F292c6912E7710c838347Ae178B4a', 'hunter22', 'eyJzdWIiOiJ']) {
    expect(text).not.toContain(secret);
  }
});

test('sockets show which are open, how fast they are, and how the others ended', async ({ page, gasoline }) => {
  await play(gasoline);
  await openDashboard(page, gasoline, 'sockets');
  const socket = page.locator('[data-test=socket]');
  await expect(socket).toHaveCount(1);
  await expect(socket).toContainText('localhost:5173/prices');
  await expect(socket.getByRole('img', { name: /incoming messages of the last minute/ })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: '/support' })).toContainText('1006');
  const ink = () =>
    socket
      .locator('canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        return pixels.filter((value, place) => place % 4 === 3 && value > 0).length;
      });
  expect(await ink(), 'the past minute is drawn').toBeGreaterThan(200);
});

test('web vitals are drawn from load to load, against the baseline', async ({ page, gasoline }) => {
  await play(gasoline);
  await openDashboard(page, gasoline, 'performance');
  await page.getByRole('option').filter({ hasText: '/cart' }).click();
  const paint = page.locator('[data-test=vital-largestContentfulPaint]');
  await expect(paint).toContainText('2.06 s');
  await expect(paint).toContainText(/was \d+ ms, \+1\d\d%/);
  await expect(paint.getByRole('img')).toHaveAttribute('aria-label', /of the last 9 loads: 2.06 s, usually \d+ ms/);
  await page.getByRole('option').filter({ hasText: '1 load' }).click();
  await expect(page.locator('[data-test=performance]')).toContainText('comparison starts with the next load');
});

test('the audit lists its findings, the worst first', async ({ page, gasoline }) => {
  await play(gasoline);
  await openDashboard(page, gasoline, 'security');
  const findings = page.locator('[data-test=finding]');
  await expect(findings.first()).toHaveAttribute('data-severity', 'critical');
  await expect(findings.filter({ hasText: 'GitHub token exposed in URL' })).toContainText('CWE-598');
  await expect(page.locator('[data-test=audit-summary]')).toContainText(/\d findings in 11 requests/);
});

test('the calls of AI clients are listed with their complete answers', async ({ page, gasoline, agent }) => {
  await play(gasoline);
  await openDashboard(page, gasoline, 'calls');
  const answer = await agent.raw('get_browser_errors', { limit: 1 });
  const text = answer.content[0]?.text ?? '';
  const call = page.locator('[data-test=call]');
  await expect(call).toContainText('get_browser_errors');
  await expect(call).toContainText('e2e');
  await expect(call).toContainText(/about [\d,]+ tokens/);
  const shown = await call.locator('pre').nth(1).innerText();
  expect(JSON.parse(shown)).toEqual(JSON.parse(text));
  await agent.raw('query_dom', { selector: '#pay' });
  await expect(page.getByRole('listbox', { name: 'Calls' }).getByRole('option').first()).toContainText('failed');
});

test('everything works with the keyboard', async ({ page, gasoline }) => {
  await play(gasoline);
  await openDashboard(page, gasoline);
  const focused = () =>
    page.evaluate(() => {
      const { id, className, dataset, textContent } = document.activeElement as HTMLElement;
      return dataset.test ?? (id || className || textContent);
    });
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  expect(await focused()).toBe('panel');

  await page.locator('[data-test=tab-timeline]').focus();
  for (const section of [...SECTIONS.slice(1), 'timeline']) {
    await page.keyboard.press('ArrowRight');
    await expect(page.locator(`[data-test=tab-${section}]`)).toBeFocused();
    await expect(page.getByRole('tab', { selected: true })).toHaveAttribute('data-test', `tab-${section}`);
  }
  await page.keyboard.press('End');
  await expect(page.locator('[data-test=tab-calls]')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(page.locator('[data-test=tab-timeline]')).toBeFocused();

  // The time window: its edges, by steps, pages and to the end.
  const start = page.locator('[data-test=window-from]');
  const [most, all] = [Number(await start.getAttribute('aria-valuemax')), await page.locator('.line').count()];
  await start.focus();
  await page.keyboard.press('PageUp');
  const value = async () => Number(await start.getAttribute('aria-valuenow'));
  expect(Math.abs((await value()) - most / 10)).toBeLessThan(2);
  await page.keyboard.press('ArrowLeft');
  expect(Math.abs((await value()) - most * 0.09)).toBeLessThan(2);
  await expect(page.locator('[data-test=shown]')).toHaveText(/^\d+ of \d+ events$/);
  await page.keyboard.press('End');
  expect(await page.locator('.line').count()).toBeLessThan(all);
  await page.keyboard.press('Home');
  expect(await value()).toBe(0);

  // The list: the arrow keys select, and the selected entry is shown.
  await page.getByLabel('Sockets', { exact: true }).setChecked(false);
  const list = page.locator('[data-test=waterfall]');
  await list.focus();
  await page.keyboard.press('ArrowDown');
  const chosen = () => list.locator('[aria-selected=true]');
  await expect(chosen()).toHaveAttribute('aria-posinset', (await list.getAttribute('data-total')) ?? '');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  const text = (await chosen().locator('.what').innerText()).slice(0, 20);
  await expect(page.locator('[data-test=details] h2')).toContainText(text);
  await expect(list).toHaveAttribute('aria-activedescendant', (await chosen().getAttribute('id')) ?? '');
  await page.keyboard.press('Home');
  await expect(chosen()).toHaveAttribute('aria-posinset', '1');
});

test('a time window is selected by dragging, and can be moved', async ({ page, gasoline }) => {
  await play(gasoline);
  await openDashboard(page, gasoline);
  const whole = await page.locator('[data-test=shown]').innerText();
  const chart = await page.locator('.overview').boundingBox();
  if (!chart) throw new Error('no overview');
  const at = (share: number) => [chart.x + chart.width * share, chart.y + 30] as const;
  await page.mouse.move(...at(0.3));
  await page.mouse.down();
  await page.mouse.move(...at(0.5), { steps: 5 });
  await page.mouse.up();
  await expect(page.locator('[data-test=shown]')).not.toHaveText(whole);
  const start = page.locator('[data-test=window-from]');
  const share = async () =>
    Number(await start.getAttribute('aria-valuenow')) / Number(await start.getAttribute('aria-valuemax'));
  expect(await share()).toBeCloseTo(0.3, 1);
  await page.mouse.move(chart.x + chart.width * 0.4, chart.y + 5);
  await page.mouse.down();
  await page.mouse.move(chart.x + chart.width * 0.6, chart.y + 5, { steps: 5 });
  await page.mouse.up();
  expect(await share()).toBeCloseTo(0.5, 1);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(page.locator('[data-test=shown]')).toHaveText(whole);
});

test('new errors are announced together, not one by one', async ({ page, gasoline }) => {
  await openDashboard(page, gasoline);
  // At once: errors between two announcements are announced together.
  const messages = ['broken one', 'broken two', 'broken three'];
  await gasoline.post('/logs', { entries: messages.map((message) => ({ level: 'error', type: 'console', message })) });
  await expect(page.locator('[data-test=announcer]')).toHaveText('3 new errors.', { timeout: 60_000 });
});

test('on a narrow screen the selected entry and its tab are visible', async ({ page, gasoline }) => {
  await play(gasoline);
  await page.setViewportSize({ width: 480, height: 800 });
  await openDashboard(page, gasoline);
  await page.locator('.line').last().click();
  await expect(page.locator('[data-test=details] dl')).toBeInViewport();
  await page.goto(`${gasoline.address}/#security`);
  await page.reload();
  await expect(page.locator('[data-test=finding]').first()).toBeVisible();
  await expect(page.locator('[data-test=tab-security]')).toBeInViewport({ ratio: 1 });
});

test('the selection is visible in forced colours', async ({ page, gasoline }) => {
  await play(gasoline);
  await page.emulateMedia({ forcedColors: 'active' });
  await openDashboard(page, gasoline);
  const ground = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await ground('[data-test=tab-timeline]')).not.toBe(await ground('[data-test=tab-errors]'));
  expect(await ground('.windows [aria-pressed=true]')).not.toBe(await ground('.windows button:last-of-type'));
  await page.emulateMedia({ forcedColors: null });
});

test('one wrong clock does not distort the overview, and errors are listed newest first', async ({
  page,
  gasoline,
}) => {
  await play(gasoline);
  const entries = [{ ts: 0, type: 'console', level: 'log', message: 'of an odd clock' }];
  await gasoline.post('/logs', { entries });
  await openDashboard(page, gasoline);
  const most = Number(await page.locator('[data-test=window-from]').getAttribute('aria-valuemax'));
  expect(most).toBeLessThan(600_000);
  await page.locator('[data-test=waterfall]').focus();
  await page.keyboard.press('Home');
  await expect(page.locator('[data-test=details] h2')).toContainText('of an odd clock');
  await showSection(page, 'errors');
  await expect(page.getByRole('listbox', { name: 'Errors' }).getByRole('option')).toContainText([
    "reading 'total'",
    '/api/payments',
    'Coupon WELCOME10',
    '/api/coupons',
  ]);
});
