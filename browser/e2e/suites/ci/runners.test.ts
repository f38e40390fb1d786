// Puppeteer and Selenium themselves, with the example of `docs/ci.md` exactly as written.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { test as base, expect } from '@playwright/test';
import puppeteer from 'puppeteer-core';
import { Browser, Builder } from 'selenium-webdriver';
import chrome from 'selenium-webdriver/chrome.js';
import type { Answer } from '../../support/agent';
import { chromiumPath, QUIET_FLAGS } from '../../support/chromium';
import { block } from '../../support/docs';
import { Gasoline } from '../../support/gasoline';
import { onPath } from '../../support/on-path';
import { Site } from '../../support/site';

const TOKEN = 'ingest-token-of-these-tests-0123456789abcdef';

interface Session {
  send(method: string, params: object): Promise<unknown>;
}

const test = base.extend<{ site: Site; gasoline: Gasoline; example(session: Session): Promise<void> }>({
  gasoline: async ({}, use) => {
    const gasoline = await new Gasoline().start(['--ci'], { GASOLINE_INGEST_TOKEN: TOKEN });
    await use(gasoline);
    await gasoline.dispose();
  },
  site: async ({}, use) => {
    const site = await Site.open(import.meta.dirname);
    site.routes.set('/checkout', (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(BREAKS));
    await use(site);
    await site.close();
  },
  example: async ({ gasoline }, use) => {
    const code = block('Page.addScriptToEvaluateOnNewDocument').replace('port: 7890', `port: ${gasoline.port}`);
    const run = new Function('fs', 'require', 'process', 'session', `return (async () => {${code}})();`);
    const environment = { env: { GASOLINE_INGEST_TOKEN: TOKEN } };
    await use((session) => run(fs, createRequire(import.meta.url), environment, session));
  },
});

const BREAKS = `<h1>Checkout</h1><script>setTimeout(() => { throw new Error('thrown under test'); })</script>`;

async function expectSeen(gasoline: Gasoline): Promise<void> {
  const seen = async () => {
    const { logs } = await gasoline.get<Answer>('/snapshot?test_id=checkout%20works');
    return logs.map(({ message }: Answer) => message);
  };
  await expect.poll(seen).toEqual(['thrown under test']);
}

test('the Puppeteer example of docs/ci.md captures errors', async ({ gasoline, site, example }) => {
  const browser = await puppeteer.launch({ executablePath: chromiumPath(), args: QUIET_FLAGS });
  try {
    const page = await browser.newPage();
    await example((await page.createCDPSession()) as unknown as Session);
    await page.goto(site.url('/checkout'));
    await expectSeen(gasoline);
  } finally {
    await browser.close();
  }
});

test('the Selenium example of docs/ci.md captures errors', async ({ gasoline, site, example }) => {
  const driverPath = onPath('chromedriver');
  test.skip(!driverPath, 'needs chromedriver, of the package chromium-driver');
  const options = new chrome.Options();
  options.setChromeBinaryPath(chromiumPath());
  options.addArguments('--headless=new', ...QUIET_FLAGS);
  const driver = await new Builder()
    .forBrowser(Browser.CHROME)
    .setChromeOptions(options)
    .setChromeService(new chrome.ServiceBuilder(driverPath))
    .build();
  try {
    await example((await driver.createCDPConnection('page')) as unknown as Session);
    await driver.get(site.url('/checkout'));
    await expectSeen(gasoline);
  } finally {
    await driver.quit();
  }
});
