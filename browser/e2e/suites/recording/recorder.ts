// Controls recordings as an AI client does.

import type { Page, Worker } from '@playwright/test';
import type { Agent, Answer } from '../../support/agent';

export class Recorder {
  constructor(
    private readonly agent: Agent,
    private readonly worker: Worker,
  ) {}

  async start(page: Page, name: string): Promise<Answer> {
    return this.agent.call('record_video', { action: 'start', name, tab_id: await this.tabOf(page) });
  }

  stop(): Promise<Answer> {
    return this.agent.call('record_video', { action: 'stop' });
  }

  async list(): Promise<Answer[]> {
    return (await this.agent.call('record_video', { action: 'list' })).recordings;
  }

  async tabOf(page: Page): Promise<number | undefined> {
    return this.worker.evaluate(
      async (url) => (await chrome.tabs.query({})).find((tab) => tab.url === url)?.id,
      page.url(),
    );
  }
}
