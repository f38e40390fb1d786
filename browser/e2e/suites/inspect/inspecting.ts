// Chromium with the built extension and without a server. What the worker injects into pages is called directly.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type BrowserContext, test as base, expect, type Page, type Worker } from '@playwright/test';
import { build } from 'esbuild';
import type { AuditReport, DomAnswer, PageInfo } from 'gasoline-capture/wire.gen';
import type { AuditParams } from 'gasoline-extension/inspect/audit/scope';
import type { QueryDomParams } from 'gasoline-extension/inspect/query-dom';
import { extensionWorker, launch } from '../../support/chromium';
import { type Route, Site } from '../../support/site';

export { expect };

/** axe, as any program would inject it into a page. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const EXTENSION = join(import.meta.dirname, '../../../extension');

interface PerWorker {
  browser_: BrowserContext;
  worker: Worker;
}

interface PerTest {
  site: Site;
  page: Page;
  queryDom(params: QueryDomParams): Promise<DomAnswer>;
  pageInfo(): Promise<PageInfo>;
  /** How long a function took in the page, the fastest of several attempts: other programs run on the machine, too. */
  millis(name: 'queryDom' | 'pageInfo', ...args: unknown[]): Promise<number>;
  audit(params?: AuditParams, limitMillis?: number): Promise<AuditReport>;
}

export const test = base.extend<PerTest, PerWorker>({
  browser_: [
    async ({}, use) => {
      const context = await launch(join(EXTENSION, 'dist'));
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  worker: [
    async ({ browser_ }, use) => {
      const worker = await extensionWorker(browser_);
      await worker.evaluate(await workerScript());
      await use(worker);
    },
    { scope: 'worker' },
  ],
  site: async ({}, use, info) => {
    const site = await Site.open(dirname(info.file));
    await use(site);
    await site.close();
  },
  page: async ({ browser_ }, use) => {
    const page = await browser_.newPage();
    await use(page);
    await page.close();
  },
  queryDom: async ({ page, worker }, use) => {
    await use(async (params) => (await inspect(worker, page, 'queryDom', [params])).value as DomAnswer);
  },
  pageInfo: async ({ page, worker }, use) => {
    await use(async () => (await inspect(worker, page, 'pageInfo', [])).value as PageInfo);
  },
  millis: async ({ page, worker }, use) => {
    await use(async (name, ...args) => {
      const times: number[] = [];
      for (let turn = 0; turn < 3; turn++) times.push((await inspect(worker, page, name, args)).millis);
      return Math.min(...times);
    });
  },
  audit: async ({ page, worker }, use) => {
    await use(async (params = {}, limitMillis) => {
      const tabId = await tabOf(worker, page);
      const outcome = await worker.evaluate(
        ([tabId, params, limitMillis]) =>
          (globalThis as unknown as { auditTab(...args: unknown[]): Promise<Outcome> }).auditTab(
            tabId,
            params,
            limitMillis ?? undefined,
          ),
        [tabId, params, limitMillis ?? null] as const,
      );
      return answered(outcome) as AuditReport;
    });
  },
});

type Outcome = { value?: unknown; error?: { name: string; message: string } };

/** The worker's part of the audit, which its bundle does not export. */
async function workerScript(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { runAudit } from './src/background/queries/audit';
        import { executeAudit } from './src/background/queries/execute-audit';
        import { outcomeOf } from './src/inspect/outcome';
        globalThis.auditTab = (tabId, params, limit) => outcomeOf(() => runAudit(tabId, params, executeAudit, limit));
      `,
      resolveDir: EXTENSION,
    },
    bundle: true,
    write: false,
    format: 'iife',
  });
  return outputFiles[0]?.text ?? '';
}

async function inspect(worker: Worker, page: Page, name: string, args: unknown[]) {
  const tabId = await tabOf(worker, page);
  const { outcome, millis } = await worker.evaluate(
    async ([tabId, name, args]) => {
      await chrome.scripting.executeScript({ target: { tabId }, injectImmediately: true, files: ['inspect.js'] });
      const [first] = await chrome.scripting.executeScript({
        target: { tabId },
        injectImmediately: true,
        args: [name, args],
        func: async (name: string, args: unknown[]) => {
          type Inspect = { call(name: string, ...args: unknown[]): unknown };
          const start = performance.now();
          const outcome = await (globalThis as unknown as { gasolineInspect: Inspect }).gasolineInspect.call(
            name,
            ...args,
          );
          return { outcome, millis: performance.now() - start };
        },
      });
      return first?.result as { outcome: Outcome; millis: number };
    },
    [tabId, name, args] as [number, string, unknown[]],
  );
  return { value: answered(outcome), millis };
}

async function tabOf(worker: Worker, page: Page): Promise<number> {
  // Two tabs may show the same address; only one of them is active.
  await page.bringToFront();
  const tabs = await worker.evaluate(() => chrome.tabs.query({ active: true }));
  const tab = tabs.find(({ url }) => url === page.url());
  if (tab?.id === undefined) throw new Error(`No tab shows ${page.url()}`);
  return tab.id;
}

function answered(outcome: Outcome): unknown {
  if (!outcome.error) return outcome.value;
  throw Object.assign(new Error(outcome.error.message), { name: outcome.error.name });
}

/** Serves a page that is written in the test. */
export function html(text: string, headers: Record<string, string> = {}): Route {
  return (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(`<!doctype html>${text}`);
  };
}
