// From a page that fails, through the extension and the server, to the dashboard.

import { openDashboard, showSection } from '../../support/dashboard';
import { expect, test } from '../../support/test';

test('an error in a page appears on the dashboard', async ({ page, site, context, gasoline, worker, popup }) => {
  expect(worker.url()).toContain('background.js');
  const dashboard = await context.newPage();
  await openDashboard(dashboard, gasoline, 'errors');
  await page.goto(site.url('/empty.html'));
  await expect(dashboard.locator('[data-test=browser]')).toHaveText('Capturing 1 tab');
  await page.evaluate(() => {
    setTimeout(() => {
      throw new TypeError('the whole way');
    });
  });
  await expect(dashboard.locator('[data-test=error] h2')).toContainText('the whole way');
  await showSection(dashboard, 'timeline');
  await expect(dashboard.locator('.line[data-kind=error]')).toContainText('the whole way');
  // The dashboard is on a development host, but it is not captured: it would endlessly show its own requests.
  await expect(dashboard.locator('[data-test=browser]')).toHaveText('Capturing 1 tab');
  const panel = await popup(dashboard);
  await expect(panel.locator('[data-test=site-reason]')).toHaveText('Gasoline’s own pages are never captured');
  await expect(panel.locator('[data-test=site-switch]')).toBeDisabled();
  await panel.close();
  await dashboard.close();
});
