// What the extension costs the page. Each figure is taken with and without it in the same run, in turns, so that the
// machine's moods hit both alike. Writes rows for docs/benchmarks.md to the file named by GASOLINE_BENCH_OUT.

import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, type Page, test } from '@playwright/test';
import { Agent } from '../support/agent';
import { extensionWorker, launch } from '../support/chromium';
import { Gasoline } from '../support/gasoline';
import { Site } from '../support/site';

interface Row {
  what: string;
  measured: number;
  bound?: number;
  unit: string;
  note?: string;
}

const rows: Row[] = [];
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
const spread = (values: number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  return `${(sorted[Math.floor(sorted.length * 0.25)] as number).toPrecision(3)} to ${(sorted[Math.floor(sorted.length * 0.75)] as number).toPrecision(3)}`;
};

// Isolation gives the page a clock of 5 µs instead of 100.
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

let gasoline: Gasoline;
let site: Site;
let plain: BrowserContext;
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
  site.routes.set('/app', (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(APP));
  site.routes.set('/app.js', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(APP_SCRIPT),
  );
  plain = await launch();
  captured = await launch(gasoline.extension({ bodies: true }));
  await extensionWorker(captured);
});

test.afterAll(async () => {
  await plain.close();
  await captured.close();
  await site.close();
  await gasoline.dispose();
  const out = process.env.GASOLINE_BENCH_OUT;
  if (out) writeFileSync(out, JSON.stringify(rows, null, 1));
});

/** An app that does what apps do while loading: a few hundred nodes, some requests, some console output. */
const APP = `<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>`;
const APP_SCRIPT = `
  const root = document.querySelector('#root');
  for (let index = 0; index < 800; index++) {
    const row = document.createElement('div');
    row.innerHTML = '<span data-testid="row' + index + '">Row ' + index + '</span> <button>Buy</button>';
    root.append(row);
  }
  for (let index = 0; index < 10; index++) fetch('/small?' + index).then((response) => response.json());
  for (let index = 0; index < 20; index++) console.log('loading', { step: index });
`;

async function open(context: BrowserContext, path = '/blank'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(site.url(path));
  await page.waitForTimeout(500);
  return page;
}

/** Runs the same measurement in both browsers, in turns. */
async function compare(
  measure: (page: Page) => Promise<number>,
  rounds: number,
): Promise<{ added: number; without: number; note: string }> {
  const [without, with_] = [await open(plain), await open(captured)];
  const figures: { without: number[]; with: number[] } = { without: [], with: [] };
  await measure(without);
  await measure(with_);
  for (let round = 0; round < rounds; round++) {
    figures.without.push(await measure(without));
    figures.with.push(await measure(with_));
  }
  await without.close();
  await with_.close();
  const added = median(figures.with) - median(figures.without);
  return {
    added,
    without: median(figures.without),
    note: `${median(figures.without).toPrecision(3)} without, ${median(figures.with).toPrecision(3)} with`,
  };
}

test('console', async () => {
  for (const [name, object] of [
    ['a text', false],
    ['a text and an object', true],
  ] as const) {
    const { added, note } = await compare(
      (page) =>
        page.evaluate((object) => {
          const calls = 2_000;
          const started = performance.now();
          for (let index = 0; index < calls; index++)
            object ? console.log('value', { index, name: 'x', list: [1, 2, 3] }) : console.log('a line of text');
          return (performance.now() - started) / calls;
        }, object),
      9,
    );
    rows.push({
      what: `page: added time per \`console.log\` of ${name}`,
      measured: added,
      bound: 0.05,
      unit: 'ms',
      note,
    });
  }
});

test('fetch', async () => {
  const sync = await compare(
    (page) =>
      page.evaluate(async () => {
        const calls = 200;
        let total = 0;
        for (let index = 0; index < calls; index++) {
          const started = performance.now();
          const answer = fetch('/small', { method: 'POST', body: '{"a":1}', headers: { 'X-A': '1' } });
          total += performance.now() - started;
          await answer;
        }
        return total / calls;
      }),
    7,
  );
  rows.push({
    what: 'page: added time per `fetch`, synchronous part',
    measured: sync.added,
    bound: 0.1,
    unit: 'ms',
    note: sync.note,
  });
  const whole = await compare(
    (page) =>
      page.evaluate(async () => {
        const calls = 200;
        const started = performance.now();
        for (let index = 0; index < calls; index++) await (await fetch('/small')).text();
        return (performance.now() - started) / calls;
      }),
    7,
  );
  rows.push({
    what: 'page: added time per `fetch` with its body read, bodies captured',
    measured: whole.added,
    bound: 1,
    unit: 'ms',
    note: whole.note,
  });
  const large = await compare(
    (page) =>
      page.evaluate(async () => {
        const started = performance.now();
        for (let index = 0; index < 5; index++) await (await fetch('/megabyte')).json();
        return (performance.now() - started) / 5;
      }),
    7,
  );
  rows.push({
    what: 'page: added time per `fetch` of 1 MB of JSON, bodies captured',
    measured: large.added,
    bound: 10,
    unit: 'ms',
    note: large.note,
  });
});

test('WebSocket', async () => {
  site.sockets.set('/quiet', () => {});
  const { added, note } = await compare(
    (page) =>
      page.evaluate(async () => {
        const socket = new WebSocket(`ws://${location.host}/quiet`);
        await new Promise((done) => socket.addEventListener('open', done));
        let seen = 0;
        socket.onmessage = () => seen++;
        const messages = Array.from(
          { length: 2_000 },
          (_, index) => new MessageEvent('message', { data: `{"sym":"AAPL","price":${index},"vol":1234}` }),
        );
        const started = performance.now();
        for (const message of messages) socket.dispatchEvent(message);
        const each = (performance.now() - started) / seen;
        socket.close();
        return each;
      }),
    9,
  );
  rows.push({ what: 'page: added time per WebSocket message', measured: added, bound: 0.02, unit: 'ms', note });

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
  const lost: Record<'without' | 'with', number[]> = { without: [], with: [] };
  for (const [name, context] of Array(3)
    .fill([
      ['without', plain],
      ['with', captured],
    ])
    .flat() as Array<['without' | 'with', BrowserContext]>) {
    const page = await open(context);
    const frames = await page.evaluate(
      () =>
        new Promise<number>((done) => {
          let last = 0;
          let lost = 0;
          let running = true;
          const frame = (now: number) => {
            if (last) lost += Math.max(0, Math.round((now - last) / (1_000 / 60)) - 1);
            last = now;
            if (running) requestAnimationFrame(frame);
            else done(lost);
          };
          requestAnimationFrame(frame);
          const socket = new WebSocket(`ws://${location.host}/flood`);
          socket.onmessage = () => {};
          socket.onclose = () => {
            running = false;
          };
        }),
    );
    lost[name].push(frames);
    await page.close();
  }
  rows.push({
    what: 'page: frames lost during 10,000 WebSocket messages at 1,000/s, more than without',
    measured: Math.max(0, median(lost.with) - median(lost.without)),
    bound: 0,
    unit: 'frames',
    note: `in three runs ${lost.without.join(', ')} without, ${lost.with.join(', ')} with`,
  });
});

test('load', async () => {
  const figures: Record<string, { load: number[]; interactive: number[] }> = {
    without: { load: [], interactive: [] },
    with: { load: [], interactive: [] },
  };
  const pages = { without: await plain.newPage(), with: await captured.newPage() };
  for (let round = 0; round < 41; round++) {
    for (const name of ['without', 'with'] as const) {
      await pages[name].goto(site.url(`/app?${round}`));
      await pages[name].waitForLoadState('load');
      const [load, interactive] = await pages[name].evaluate(async () => {
        await new Promise((done) => setTimeout(done, 150));
        const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
        return [entry?.loadEventEnd ?? 0, entry?.domContentLoadedEventEnd ?? 0];
      });
      // The first loads warm caches up.
      if (round < 5) continue;
      figures[name]?.load.push(load as number);
      figures[name]?.interactive.push(interactive as number);
    }
  }
  for (const [key, what] of [
    ['load', 'page: added time until `load`'],
    ['interactive', 'page: added time until interactive (`DOMContentLoaded` done)'],
  ] as const) {
    const without = figures.without?.[key] ?? [];
    const with_ = figures.with?.[key] ?? [];
    rows.push({
      what,
      measured: median(with_) - median(without),
      bound: 5,
      unit: 'ms',
      note: `${median(without).toPrecision(3)} without, ${median(with_).toPrecision(3)} with; middle half ${spread(with_)}`,
    });
  }
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
  rows.push({
    what: 'from an error in the page to the AI client, median',
    measured: median(times),
    bound: 1_000,
    unit: 'ms',
    note: `middle half ${spread(times)}`,
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
  rows.push({
    what: `extension: largest heap during ${seconds} s of 20 sockets with 100 messages/s each`,
    measured: peak / 1_048_576,
    bound: 50,
    unit: 'MB',
  });
  await page.close();
});

test('size', () => {
  const size = statSync(join(import.meta.dirname, '../../extension/dist/page.js')).size;
  rows.push({ what: 'page: script, minified', measured: size / 1_024, bound: 40, unit: 'KB' });
});
