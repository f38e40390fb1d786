// What the context of an error costs a page of three thousand components, and how soon it is there.

import { setTimeout as wait } from 'node:timers/promises';
import { test } from '@playwright/test';
import { build } from 'esbuild';
import { Agent } from '../support/agent';
import { bundle } from '../support/bundle';
import { extensionWorker, launch } from '../support/chromium';
import { Gasoline } from '../support/gasoline';
import { contextCosts, failSoon, LARGE_PAGES, LARGE_ROWS, noteOnce } from '../support/large-pages';
import { Site } from '../support/site';
import { median, middleHalf, report } from './rows';

const LOADS = 9;
const ERRORS = 15;

test('large applications', async () => {
  const gasoline = await new Gasoline().start();
  const agent = new Agent(gasoline);
  const context = await launch(gasoline.extension());
  const worker = await extensionWorker(context);
  await worker.evaluate(() => chrome.storage.local.set({ settings: { aiContextStateSnapshot: true } }));
  for (const [name, code] of Object.entries(LARGE_PAGES)) {
    const app = await bundle(code, { mode: 'production' });
    const site = await Site.open(app.folder);
    const page = await context.newPage();
    const notes: number[] = [];
    let noted = 0;
    for (let load = 0; load < LOADS; load++) {
      await page.goto(site.url('/index.html'));
      await page.waitForFunction((rows) => document.querySelectorAll('li').length === rows, LARGE_ROWS);
      const { components, millis } = await page.evaluate(noteOnce);
      notes.push(millis);
      noted = components;
    }
    const explained: number[] = [];
    for (let error = 0; error < ERRORS; error++) {
      await gasoline.post('/clear');
      await page.reload();
      await page.waitForFunction((rows) => document.querySelectorAll('li').length === rows, LARGE_ROWS);
      await wait(1_500);
      await page.locator('b').last().click();
      const began = performance.now();
      await page.evaluate(failSoon);
      while (performance.now() - began < 5_000) {
        const { errors } = await agent.call('get_browser_errors');
        const found = errors[0]?._aiContext;
        if (found?.sourceSnippets && found.componentAncestry && found.stateSnapshot) break;
        await wait(5);
      }
      explained.push(performance.now() - began);
    }
    const { ancestry, state } = await page.evaluate(contextCosts);
    const page_ = `a ${name} page of 3,000 components`;
    const note = `middle half ${middleHalf(notes)} of ${LOADS} first times; ${noted} noted at once`;
    report({ what: `${page_}: noted at an error, median`, measured: median(notes), bound: 6, unit: 'ms', note });
    report({ what: `${page_}: finding the component, median`, measured: ancestry, bound: 50, unit: 'ms' });
    report({ what: `${page_}: state of the store, median`, measured: state, bound: 100, unit: 'ms' });
    report({
      what: `${page_}: from the error to its source line, components and state at the AI client, median`,
      measured: median(explained),
      bound: 3_000,
      unit: 'ms',
      note: `middle half ${middleHalf(explained)} of ${ERRORS}`,
    });
    await page.close();
    await site.close();
    app.remove();
  }
  await context.close();
  await agent.close();
  await gasoline.dispose();
});

test('selectors of an action', async () => {
  const gasoline = await new Gasoline().start();
  const context = await launch(gasoline.extension());
  const { outputFiles } = await build({
    stdin: {
      contents:
        "import { computeSelectors } from 'gasoline-capture/selectors'; window.computeSelectors = computeSelectors;",
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    minify: true,
  });
  const page = await context.newPage();
  const row = (number: number) =>
    `<li class="row item css-1x2y"><label>Amount <input type="text"></label><button class="btn primary">Buy ${number}</button></li>`;
  await page.setContent(`<main><ul>${Array.from({ length: 2_500 }, (_, number) => row(number)).join('')}</ul></main>`);
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  const times = await page.evaluate(() => {
    const { computeSelectors } = window as unknown as { computeSelectors(element: Element): unknown };
    return [...document.querySelectorAll('button, input')].slice(0, 2_000).map((element) => {
      const began = performance.now();
      computeSelectors(element);
      return performance.now() - began;
    });
  });
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  report({
    what: 'page: all selectors of one action, in a list of 2,500 rows, mean',
    measured: mean,
    bound: 1,
    unit: 'ms',
    note: `slowest ${Math.max(...times).toFixed(2)} of ${times.length}`,
  });
  await context.close();
  await gasoline.dispose();
});
