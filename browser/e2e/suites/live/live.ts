// Shared by the suites that query the live page.

import type { Page } from '@playwright/test';
import type { Site } from '../../support/site';
import { test as base } from '../../support/test';

/** Strict enough that no text can be run as code. */
export const STRICT = {
  'Content-Security-Policy':
    "default-src 'none'; connect-src 'self'; script-src 'self'; style-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
};

export const test = base.extend<{
  /** An active page, with an id for the tools. */
  open(path?: string): Promise<{ page: Page; tab_id: number }>;
}>({
  open: async ({ context, worker, site }, use) => {
    const opened: Page[] = [];
    const tabs: number[] = [];
    await use(async (path = '/') => {
      const page = await context.newPage();
      opened.push(page);
      await page.goto(site.url(path));
      await page.bringToFront();
      const tab_id = await worker.evaluate(
        async (url) => (await chrome.tabs.query({ active: true })).find((tab) => tab.url === url)?.id,
        page.url(),
      );
      if (tab_id !== undefined) tabs.push(tab_id);
      return { page, tab_id: tab_id ?? -1 };
    });
    // A crashed page cannot be closed through Playwright.
    for (const tab of tabs) await worker.evaluate((tab) => chrome.tabs.remove(tab).catch(() => {}), tab);
    for (const page of opened) await page.close().catch(() => {});
  },
});

/** Blocks a page for 25 seconds, and returns once it is blocked. */
export async function keepBusy(page: Page, site: Site): Promise<void> {
  const isBlocked = new Promise<void>((blocked) =>
    site.routes.set('/blocked', (_, response) => {
      response.end();
      blocked();
    }),
  );
  await page.evaluate(() => {
    setTimeout(() => {
      const request = new XMLHttpRequest();
      request.open('GET', '/blocked', false);
      request.send();
      const until = performance.now() + 25_000;
      while (performance.now() < until);
    }, 100);
  });
  await isBlocked;
}

export async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  void session.send('Page.crash').catch(() => {});
  await crashed;
}

export { expect } from '../../support/test';
