// Drives the recorder as a page of ours may: from the options page, by messages to the worker.

import type { BrowserContext, Page, Worker } from '@playwright/test';
import type { Answer } from '../../support/agent';

export class Recorder {
  private constructor(
    private readonly own: Page,
    private readonly worker: Worker,
  ) {}

  static async open(context: BrowserContext, worker: Worker): Promise<Recorder> {
    const own = await context.newPage();
    await own.goto(worker.url().replace('background.js', 'options.html'));
    return new Recorder(own, worker);
  }

  async start(page: Page, name: string): Promise<Answer> {
    return this.startTab(await this.tabOf(page), name);
  }

  startTab(tabId: number | undefined, name: string): Promise<Answer> {
    return this.ask({ type: 'record-start', tabId, name });
  }

  stop(): Promise<Answer> {
    return this.ask({ type: 'record-stop' });
  }

  close(): Promise<void> {
    return this.own.close();
  }

  async tabOf(page: Page): Promise<number | undefined> {
    return this.worker.evaluate(
      async (url) => (await chrome.tabs.query({})).find((tab) => tab.url === url)?.id,
      page.url(),
    );
  }

  private ask(request: unknown): Promise<Answer> {
    return this.own.evaluate((request) => chrome.runtime.sendMessage(request), request) as Promise<Answer>;
  }
}
