// What the extension costs the page. Each figure is taken with and without it in the same run, in turns, so that the
// machine's moods hit both alike, in browsers that no debugger slows down.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, type Page, test } from '@playwright/test';
import { Agent } from '../support/agent';
import { extensionWorker, launch } from '../support/chromium';
import { Gasoline } from '../support/gasoline';
import { Site } from '../support/site';
import { RawBrowser, serveBench } from './raw';
import { median, middleHalf, report } from './rows';

// Isolation gives the page a clock of 5 µs instead of 100.
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

let gasoline: Gasoline;
let site: Site;
let without: RawBrowser;
let with_: RawBrowser;
let captured: BrowserContext;

test.beforeAll(async () => {
  gasoline = await new Gasoline().start();
  site = await Site.open(import.meta.dirname);
  site.routes.set('/blank', (_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/html', ...ISOLATED })
      .end('<!doctype html><title>Blank</title><h1>Blank</h1>'),
  );
  site.routes.set('/small', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}'),
  );
  const megabyte = JSON.stringify(
    Array.from({ length: 12_000 }, (_, id) => ({
      id,
      name: `item number ${id}`,
      tags: ['a', 'b'],
      price: id * 1.5,
      text: 'lorem ipsum',
    })),
  );
  site.routes.set('/megabyte', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(megabyte),
  );
  serveBench(site, MEASUREMENTS, ISOLATED);
  site.sockets.set('/quiet', () => {});
  site.sockets.set('/flood', (socket) => {
    let sent = 0;
    const timer = setInterval(() => {
      for (let index = 0; index < 10 && sent < 10_000; index++) socket.send(`{"sym":"AAPL","price":${sent++}}`);
      if (sent >= 10_000) {
        clearInterval(timer);
        socket.close();
      }
    }, 10);
  });
  without = new RawBrowser(site, 'without');
  with_ = new RawBrowser(site, 'with', gasoline.extension({ bodies: true }));
  captured = await launch(gasoline.extension({ bodies: true }));
  await extensionWorker(captured);
});

test.afterAll(async () => {
  without.close();
  with_.close();
  await captured.close();
  await site.close();
  await gasoline.dispose();
});

async function open(context: BrowserContext, path = '/blank'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(site.url(path));
  await page.waitForTimeout(500);
  return page;
}

/** What is measured in the page itself. */
const MEASUREMENTS = `{
  async text() {
    const calls = 1000;
    const started = performance.now();
    for (let index = 0; index < calls; index++) console.log('a line of text');
    return (performance.now() - started) / calls;
  },
  async object() {
    const calls = 1000;
    const started = performance.now();
    for (let index = 0; index < calls; index++) console.log('value', { index, name: 'x', list: [1, 2, 3] });
    return (performance.now() - started) / calls;
  },
  async error() {
    const calls = 200;
    const started = performance.now();
    for (let index = 0; index < calls; index++) console.error('an error ' + index);
    return (performance.now() - started) / calls;
  },
  async fetchSync() {
    const calls = 200;
    let total = 0;
    for (let index = 0; index < calls; index++) {
      const started = performance.now();
      const answer = fetch('/small', { method: 'POST', body: '{"a":1}', headers: { 'X-A': '1' } });
      total += performance.now() - started;
      await answer;
    }
    return total / calls;
  },
  async fetchWhole() {
    const calls = 200;
    const started = performance.now();
    for (let index = 0; index < calls; index++) await (await fetch('/small')).text();
    return (performance.now() - started) / calls;
  },
  async fetchLarge() {
    const started = performance.now();
    for (let index = 0; index < 5; index++) await (await fetch('/megabyte')).json();
    return (performance.now() - started) / 5;
  },
  async message() {
    const socket = new WebSocket('ws://' + location.host + '/quiet');
    await new Promise((done) => socket.addEventListener('open', done));
    let seen = 0;
    socket.onmessage = () => seen++;
    const messages = Array.from({ length: 2000 }, (_, index) => new MessageEvent('message', { data: '{"sym":"AAPL","price":' + index + ',"vol":1234}' }));
    const started = performance.now();
    for (const message of messages) socket.dispatchEvent(message);
    const each = (performance.now() - started) / seen;
    socket.close();
    return each;
  },
  flood: () => new Promise((done) => {
    let last = 0;
    let lost = 0;
    let running = true;
    const frame = (now) => {
      if (last) lost += Math.max(0, Math.round((now - last) / (1000 / 60)) - 1);
      last = now;
      if (running) requestAnimationFrame(frame);
      else done(lost);
    };
    requestAnimationFrame(frame);
    const socket = new WebSocket('ws://' + location.host + '/flood');
    socket.onmessage = () => {};
    socket.onclose = () => { running = false; };
  }),
}`;

/** Runs the same measurement in both browsers, in turns. */
async function compare(name: string, rounds: number): Promise<{ added: number; note: string; figures: number[][] }> {
  const figures: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    for (const [index, browser] of [without, with_].entries()) {
      const value = await browser.measure(name);
      if (typeof value !== 'number') throw new Error(`${name}: ${value}`);
      // The first round warms up.
      if (round >= 0) figures[index]?.push(value);
    }
  }
  const [plainly, extended] = [median(figures[0]), median(figures[1])];
  return {
    added: extended - plainly,
    note: `${plainly.toPrecision(3)} without, ${extended.toPrecision(3)} with; middle halves ${middleHalf(figures[0])} and ${middleHalf(figures[1])} of ${rounds}`,
    figures,
  };
}

for (const [name, what, bound, rounds] of [
  ['text', 'page: added time per `console.log` of a text', 0.05, 15],
  ['object', 'page: added time per `console.log` of a text and an object', 0.05, 15],
  ['error', 'page: added time per `console.error`, with its stack', 0.05, 15],
  ['fetchSync', 'page: added time per `fetch`, synchronous part', 0.1, 9],
  ['fetchWhole', 'page: added time per `fetch` with its body read, bodies captured', 1, 9],
  ['fetchLarge', 'page: added time per `fetch` of 1 MB of JSON, bodies captured', 10, 9],
  ['message', 'page: added time per WebSocket message', 0.02, 15],
] as const) {
  test(name, async () => {
    const { added, note } = await compare(name, rounds);
    report({ what, measured: added, bound, unit: 'ms', note });
  });
}

test('flood', async () => {
  const { figures } = await compare('flood', 3);
  const [plainly = [], extended = []] = figures;
  report({
    what: 'page: frames lost during 10,000 WebSocket messages at 1,000/s, more than without',
    measured: Math.max(0, median(extended) - median(plainly)),
    bound: 0,
    unit: 'frames',
    note: `in three runs ${plainly.join(', ')} without, ${extended.join(', ')} with`,
  });
});

test('from the page to the AI client', async () => {
  const agent = new Agent(gasoline);
  const page = await open(captured);
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    await page.evaluate((round) => console.error(`round ${round}`), round);
    const started = performance.now();
    for (;;) {
      const { logs } = await agent.call('get_browser_logs', { search: `round ${round}`, limit: 1 });
      if (logs.some(({ message }: { message: string }) => message === `round ${round}`)) break;
      if (performance.now() - started > 5_000) throw new Error('it never came');
    }
    times.push(performance.now() - started);
  }
  report({
    what: 'from an error in the page to the AI client, median',
    measured: median(times),
    bound: 1_000,
    unit: 'ms',
    note: `middle half ${middleHalf(times)}`,
  });
  await page.close();
  await agent.close();
});

test('twenty fast sockets', async () => {
  const seconds = Number(process.env.GASOLINE_BENCH_SECONDS ?? 60);
  site.sockets.set('/steady', (socket) => {
    const timer = setInterval(() => socket.send('{"sym":"AAPL","price":185.42,"vol":1234,"ts":1700000000000}'), 10);
    socket.on('close', () => clearInterval(timer));
  });
  const page = await open(captured);
  await page.evaluate(() => {
    for (let index = 0; index < 20; index++) new WebSocket(`ws://${location.host}/steady`);
  });
  const worker = await extensionWorker(captured);
  const browser = captured.browser();
  const session = await browser?.newBrowserCDPSession();
  if (!session) throw new Error('no session with the browser');
  const { targetInfos } = await session.send('Target.getTargets');
  const target = targetInfos.find(({ type, url }) => type === 'service_worker' && url === worker.url());
  const { sessionId } = await session.send('Target.attachToTarget', {
    targetId: target?.targetId ?? '',
    flatten: false,
  });
  let peak = 0;
  const until = Date.now() + seconds * 1_000;
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const used = JSON.parse(message).result?.usedSize;
    if (typeof used === 'number') peak = Math.max(peak, used);
  });
  for (let id = 1; Date.now() < until; id++) {
    await session.send('Target.sendMessageToTarget', {
      sessionId,
      message: JSON.stringify({ id, method: 'Runtime.getHeapUsage' }),
    });
    await page.waitForTimeout(500);
  }
  report({
    what: `extension: largest heap during ${seconds} s of 20 sockets with 100 messages/s each`,
    measured: peak / 1_048_576,
    bound: 50,
    unit: 'MB',
  });
  await page.close();
});

test('size', () => {
  const size = statSync(join(import.meta.dirname, '../../extension/dist/page.js')).size;
  report({ what: 'page: script, minified', measured: size / 1_024, bound: 40, unit: 'KB' });
});
