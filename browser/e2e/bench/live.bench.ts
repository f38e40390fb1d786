// How long an AI client waits for an answer of the live page, in a browser that nobody debugs: over stdio, through the
// server and the extension, to the page and back. Beside it what a browser takes that polls once a second.

import { setTimeout as wait } from 'node:timers/promises';
import { test } from '@playwright/test';
import { Agent, type Answer } from '../support/agent';
import { openRaw } from '../support/chromium';
import { Gasoline } from '../support/gasoline';
import { Site } from '../support/site';
import { median, middleHalf, report } from './rows';

const SIMPLE =
  '<!doctype html><html lang="en"><title>Simple</title><main><h1 id="heading">Simple</h1><p>Text</p></main>';
/** 10,000 elements, some of them with faults. */
const LARGE = `<!doctype html><html lang="en"><title>Large</title><main><h1>Large</h1>${'<div class="row"><span>name</span><a href="#x">open</a><b>1</b></div>'.repeat(2_499)}</main>`;

let gasoline: Gasoline;
let site: Site;
let agent: Agent;

test.beforeAll(async () => {
  gasoline = await new Gasoline().start();
  site = await Site.open(import.meta.dirname);
  for (const [path, page] of [
    ['/simple', SIMPLE],
    ['/large', LARGE],
  ] as const) {
    site.routes.set(path, (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(page));
  }
  agent = new Agent(gasoline);
});

test.afterAll(async () => {
  await agent.close();
  await site.close();
  await gasoline.dispose();
});

async function timed(tool: string, args: object, fits: (answer: Answer) => boolean): Promise<number> {
  const started = performance.now();
  const answer = await agent.call(tool, { ...args });
  const took = performance.now() - started;
  if (!fits(answer)) throw new Error(`${tool}: ${JSON.stringify(answer).slice(0, 500)}`);
  return took;
}

/** A browser on that page, once it answers. */
async function browserOn(path: string): Promise<() => void> {
  const close = openRaw(site.url(path), gasoline.extension());
  for (let attempt = 0; attempt < 100; attempt++) {
    const { url } = await agent.call('get_page_info');
    if (url === site.url(path)) return close;
    await wait(200);
  }
  throw new Error('the browser never answered');
}

test('a simple page', async () => {
  const close = await browserOn('/simple');
  const times: number[] = [];
  for (let round = -10; round < 100; round++) {
    const took = await timed('query_dom', { selector: '#heading' }, ({ matchCount }) => matchCount === 1);
    if (round >= 0) times.push(took);
  }
  close();
  report({
    what: 'live: `query_dom` of one element, AI client to page and back, median',
    measured: median(times),
    bound: 25,
    unit: 'ms',
    note: `middle half ${middleHalf(times)} of 100`,
  });
});

test('the same with a browser that polls once a second', async () => {
  let polling = true;
  const browser = (async () => {
    while (polling) {
      const { queries } = await gasoline.get<Answer>('/pending-queries');
      for (const { id, correlation_id, action } of queries) {
        const result = { success: true, value: { matchCount: 1, matches: [] }, type: 'object' };
        await gasoline.post('/dom-result', { query_id: id, correlation_id, action, result, error: null });
      }
      await wait(1_000);
    }
  })();
  await wait(1_500);
  const times: number[] = [];
  for (let round = 0; round < 8; round++) {
    times.push(await timed('query_dom', { selector: '#heading' }, ({ matchCount }) => matchCount === 1));
    await wait(Math.random() * 1_000);
  }
  polling = false;
  await browser;
  report({
    what: 'live: the same with a browser that polls once a second, median',
    measured: median(times),
    unit: 'ms',
    note: `middle half ${middleHalf(times)} of 8; for comparison`,
  });
});

test('a page of 10,000 elements', async () => {
  const close = await browserOn('/large');
  const queries: number[] = [];
  for (let round = -2; round < 10; round++) {
    const took = await timed('query_dom', { selector: '*' }, ({ matchCount }) => matchCount >= 10_000);
    if (round >= 0) queries.push(took);
  }
  const audits: number[] = [];
  for (let round = 0; round < 3; round++) {
    audits.push(
      await timed('run_accessibility_audit', { force_refresh: true }, ({ summary }) => summary?.violations >= 0),
    );
  }
  close();
  report({
    what: 'live: `query_dom` of `*` on 10,000 elements, median',
    measured: median(queries),
    bound: 200,
    unit: 'ms',
    note: `middle half ${middleHalf(queries)} of 10`,
  });
  report({
    what: 'live: accessibility audit of 10,000 elements, slowest',
    measured: Math.max(...audits) / 1_000,
    bound: 10,
    unit: 's',
    note: `of 3; the fastest ${(Math.min(...audits) / 1_000).toPrecision(3)}`,
  });
});
