// The fixtures of every suite: a browser with the extension, its server, an AI client, and the suite's own pages.

import { dirname } from 'node:path';
import { type BrowserContext, test as base, expect, type Page, type Worker } from '@playwright/test';
import { Agent, type Answer } from './agent';
import { extensionWorker, launch } from './chromium';
import { Gasoline, type Options } from './gasoline';
import { Site } from './site';

export { expect };

interface PerWorker {
  options: Options;
  gasoline: Gasoline;
  browser_: BrowserContext;
  worker: Worker;
  agent: Agent;
}

interface PerTest {
  site: Site;
  page: Page;
  context: BrowserContext;
  /** Calls a tool until its answer fits, because capture takes a little time. */
  eventually(tool: string, args: Record<string, unknown>, fits: (answer: Answer) => boolean): Promise<Answer>;
  /** Changes settings as the popup would. */
  settings(change: Record<string, unknown>): Promise<void>;
  /** Opens the popup for a tab, in a separate tab. */
  popup(of: Page): Promise<Page>;
}

/** The interface that the worker offers to programs that automate the browser. */
export interface Driven {
  gasoline: { settled(): Promise<void>; handedOver(quietMillis?: number): Promise<void> };
}

/** Changes settings, or resets all, and waits until the pages have received them. */
async function changeSettings(worker: Worker, change: Record<string, unknown> | undefined): Promise<void> {
  await worker.evaluate(async (change) => {
    const { settings } = await chrome.storage.local.get('settings');
    const wanted = change && { ...(settings as object | undefined), ...change };
    // The browser reports only changes.
    if (JSON.stringify(wanted) !== JSON.stringify(settings)) {
      const noticed = new Promise<void>((done) => {
        chrome.storage.onChanged.addListener(function heard(changes) {
          if (!changes.settings) return;
          chrome.storage.onChanged.removeListener(heard);
          done();
        });
      });
      if (wanted) await chrome.storage.local.set({ settings: wanted });
      else await chrome.storage.local.remove('settings');
      await noticed;
    }
    await (globalThis as unknown as Driven).gasoline.settled();
  }, change);
}

export const test = base.extend<PerTest, PerWorker>({
  options: [{}, { scope: 'worker', option: true }],
  gasoline: [
    async ({}, use) => {
      const gasoline = await new Gasoline().start();
      await use(gasoline);
      await gasoline.dispose();
    },
    { scope: 'worker' },
  ],
  browser_: [
    async ({ gasoline, options }, use) => {
      const context = await launch(gasoline.extension(options), options.flags);
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  worker: [
    async ({ browser_, gasoline }, use) => {
      const worker = await extensionWorker(browser_);
      await expect
        .poll(async () => (await gasoline.get<Answer>('/health')).extension?.connected, { timeout: 60_000 })
        .toBe(true);
      await use(worker);
    },
    { scope: 'worker' },
  ],
  agent: [
    async ({ gasoline }, use) => {
      const agent = new Agent(gasoline);
      await use(agent);
      await agent.close();
    },
    { scope: 'worker' },
  ],
  site: async ({}, use, info) => {
    const site = await Site.open(dirname(info.file));
    await use(site);
    await site.close();
  },
  context: async ({ browser_, worker, gasoline }, use) => {
    await worker.evaluate(async () => {
      // Closes pages that crashed or were unloaded in another test.
      for (const { id, url } of await chrome.tabs.query({})) {
        if (id !== undefined && url?.startsWith('http')) await chrome.tabs.remove(id).catch(() => {});
      }
    });
    await changeSettings(worker, undefined);
    // The last events of those pages would otherwise arrive after the server was cleared.
    await worker.evaluate(() => (globalThis as unknown as Driven).gasoline.handedOver(150));
    await gasoline.post('/clear');
    await use(browser_);
  },
  page: async ({ context }, use) => {
    const page = await context.newPage();
    await use(page);
    await page.close();
  },
  eventually: async ({ agent }, use) => {
    await use(async (tool, args, fits) => {
      let last: Answer = {};
      const until = Date.now() + 20_000;
      while (Date.now() < until) {
        last = await agent.call(tool, args);
        if (fits(last)) return last;
        await new Promise((done) => setTimeout(done, 50));
      }
      throw new Error(`${tool} never answered as expected; last: ${JSON.stringify(last, null, 1).slice(0, 3_000)}`);
    });
  },
  popup: async ({ context, worker }, use) => {
    await use(async (of) => {
      const id = await worker.evaluate(
        async (url) => (await chrome.tabs.query({})).find((tab) => tab.url === url)?.id,
        of.url(),
      );
      const popup = await context.newPage();
      await popup.goto(`${worker.url().replace('background.js', 'popup.html')}?tab=${id}`);
      // The settings are shown.
      await expect(popup.locator('#captureConsole')).toBeEnabled();
      return popup;
    });
  },
  settings: async ({ worker, agent }, use) => {
    await use(async (change) => {
      await changeSettings(worker, change);
      // The server gets the settings last; by then the pages have them.
      const key = Object.keys(change)[0] as string;
      if (key === 'server') return;
      await expect.poll(async () => (await agent.call('get_status')).settings?.[key]).toEqual(change[key]);
    });
  },
});
