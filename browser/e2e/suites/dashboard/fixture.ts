// A server with data in it, and a browser without the extension: the dashboard shows exactly that data.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type BrowserContext, test as base, type Page } from '@playwright/test';
import { Agent, type Answer } from '../../support/agent';
import { launch } from '../../support/chromium';
import { Gasoline } from '../../support/gasoline';

export { expect } from '@playwright/test';

interface PerWorker {
  gasoline: Gasoline;
  browser_: BrowserContext;
  agent: Agent;
}

interface PerTest {
  /** Errors in the console that a test expects. */
  expected: RegExp | undefined;
  page: Page;
  context: BrowserContext;
}

export const test = base.extend<PerTest, PerWorker>({
  expected: [undefined, { option: true }],
  gasoline: [
    async ({}, use) => {
      const gasoline = await new Gasoline().start(['--max-events-per-second', '0']);
      await use(gasoline);
      await gasoline.dispose();
    },
    { scope: 'worker' },
  ],
  browser_: [
    async ({}, use) => {
      const context = await launch();
      await use(context);
      await context.close();
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
  context: async ({ browser_, gasoline }, use) => {
    await gasoline.post('/clear');
    await use(browser_);
    await browser_.clearCookies();
  },
  page: async ({ context, expected }, use) => {
    const page = await context.newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      // Some tests cause a refused request, which Chromium logs by itself.
      if (message.type() !== 'error' || /status of 40[13]/.test(message.text())) return;
      if (!expected?.test(message.text())) problems.push(message.text());
    });
    await use(page);
    await page.close();
    if (problems.length > 0) throw new Error(`the dashboard complained: ${problems.join('\n')}`);
  },
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function violations(page: Page): Promise<string[]> {
  // Through the debugger: the page's own policy blocks foreign scripts.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<Answer> } }).axe.run(),
  );
  return violations.map(({ id, nodes }: Answer) => `${id}: ${nodes.map((node: Answer) => node.html).join(' ')}`);
}

export const SECTIONS = ['timeline', 'errors', 'sockets', 'performance', 'security', 'calls'] as const;
