import { expect, test } from '@playwright/test';
import { Agent } from '../../support/agent';
import { launch } from '../../support/chromium';
import { openDashboard } from '../../support/dashboard';
import { Gasoline } from '../../support/gasoline';
import { fill, play, pretendBrowser } from './data';

test('shots', async () => {
  test.setTimeout(120_000);
  const gasoline = await new Gasoline().start();
  const agent = new Agent(gasoline);
  if (process.env.FULL) await fill(gasoline);
  else await play(gasoline);
  for (const tool of ['get_status', 'diagnose', 'get_browser_errors', 'security_audit']) await agent.raw(tool);
  await agent.raw('get_network_bodies', { url_filter: '/api/payments', limit: 2 });
  await agent.raw('query_dom', { selector: '#pay' });
  const leave = await pretendBrowser(gasoline);
  const context = await launch();
  const page = await context.newPage();
  page.on('console', (message) => console.log('console', message.text()));
  page.on('pageerror', (error) => console.log('pageerror', error.stack));
  await page.setViewportSize({ width: 1360, height: 820 });
  await openDashboard(page, gasoline);
  console.log(
    await page.evaluate(() => JSON.stringify(performance.getEntriesByType('measure').map((m) => [m.name, m.duration]))),
  );
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const section of ['timeline', 'errors', 'sockets', 'performance', 'security', 'calls']) {
      await page.locator(`[data-test=tab-${section}]`).click();
      if (section === 'timeline') {
        await page.getByLabel('Sockets', { exact: true }).setChecked(false);
        await page.locator('.line', { hasText: '/api/payments' }).first().click();
        await page.waitForTimeout(300);
      }
      if (section === 'performance') await page.locator('.item').nth(1).click();
      await page.waitForTimeout(400);
      await page.screenshot({ path: `/tmp/shots/${section}-${scheme}.png` });
    }
  }
  leave();
  await context.close();
  await agent.close();
  await gasoline.dispose();
  expect(1).toBe(1);
});
