// The plain script, added to a page in the ways of other runners, and posting to the server itself.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, test as base, chromium, expect, type Page } from '@playwright/test';
import { build } from 'esbuild';
import type { Answer } from '../../support/agent';
import { headlessPath, QUIET_FLAGS } from '../../support/chromium';
import { freePort } from '../../support/free-port.mjs';
import { Gasoline } from '../../support/gasoline';
import { json, type Route, Site } from '../../support/site';

const DIST = resolve(import.meta.dirname, '../../../ci/dist');
const TOKEN = 'ingest-token-of-these-tests-0123456789abcdef';
const READABLE = readFileSync(join(DIST, 'gasoline-ci.js'), 'utf8');
const SMALL = readFileSync(join(DIST, 'gasoline-ci.min.js'), 'utf8');

interface PerWorker {
  gasoline: Gasoline;
  chrome: Browser;
}
interface PerTest {
  site: Site;
  context: BrowserContext;
  config(more?: object): string;
  /** Waits until the server's snapshot of this test fits. */
  snapshot(fits: (snapshot: Answer) => boolean): Promise<Answer>;
}

const test = base.extend<PerTest, PerWorker>({
  gasoline: [
    async ({}, use) => {
      const gasoline = await new Gasoline().start(['--ci'], { GASOLINE_INGEST_TOKEN: TOKEN });
      await use(gasoline);
      await gasoline.dispose();
    },
    { scope: 'worker' },
  ],
  chrome: [
    async ({}, use) => {
      const chrome = await chromium.launch({ executablePath: headlessPath(), args: QUIET_FLAGS });
      await use(chrome);
      await chrome.close();
    },
    { scope: 'worker' },
  ],
  site: async ({}, use) => {
    const site = await Site.open(import.meta.dirname);
    await use(site);
    await site.close();
  },
  context: async ({ chrome }, use) => {
    const context = await chrome.newContext();
    await use(context);
    await context.close();
  },
  config: async ({ gasoline }, use, info) => {
    await use(
      (more = {}) =>
        `window.__GASOLINE_CI__=${JSON.stringify({ port: gasoline.port, token: TOKEN, testId: info.testId, ...more })};`,
    );
  },
  snapshot: async ({ gasoline }, use, info) => {
    await use(async (fits) => {
      let last: Answer = {};
      await expect
        .poll(async () => {
          last = await gasoline.get<Answer>(`/snapshot?test_id=${info.testId}`);
          return fits(last);
        })
        .toBe(true);
      return last;
    });
  },
});

const messages = ({ logs }: Answer): string[] => logs.map(({ message }: Answer) => message);
const says = (text: string) => (snapshot: Answer) => messages(snapshot).includes(text);

test('with addInitScript the entries of a page arrive with the id of the test', async ({
  context,
  config,
  site,
  snapshot,
}) => {
  site.routes.set('/api', (_, response) => json(response, { error: 'no such user' }, 500));
  site.routes.set('/fine', (_, response) => json(response, { fine: true }));
  await context.addInitScript({ content: config() + SMALL });
  const page = await context.newPage();
  await page.goto(site.url());
  await page.evaluate(async () => {
    console.warn('careful');
    await fetch('/api');
    await fetch('/fine');
    setTimeout(() => {
      throw new Error('thrown');
    });
  });
  await page.click('#go');
  const all = await snapshot(
    (snapshot) =>
      says('careful')(snapshot) &&
      says('thrown')(snapshot) &&
      snapshot.network_bodies.length === 2 &&
      snapshot.enhanced_actions.length > 0 &&
      snapshot.dom_snapshots.length > 0,
  );
  const bodies = Object.fromEntries(all.network_bodies.map((body: Answer) => [new URL(body.url).pathname, body]));
  // Only bodies of failed requests are kept.
  expect(bodies['/api'].responseBody).toBe('{"error":"no such user"}');
  expect(bodies['/fine'].responseBody).toBeUndefined();
  expect(bodies['/fine'].status).toBe(200);
});

test('captureMode all keeps every body', async ({ context, config, site, snapshot }) => {
  site.routes.set('/fine', (_, response) => json(response, { fine: true }));
  await context.addInitScript({ content: config({ captureMode: 'all' }) + SMALL });
  const page = await context.newPage();
  await page.goto(site.url());
  await page.evaluate(() => fetch('/fine'));
  const { network_bodies } = await snapshot((snapshot) => snapshot.network_bodies.length > 0);
  expect(network_bodies[0].responseBody).toBe('{"fine":true}');
});

test('the script works from a script tag under a policy with a nonce', async ({
  context,
  config,
  site,
  gasoline,
  snapshot,
}) => {
  site.routes.set('/gasoline-ci.js', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(READABLE),
  );
  site.routes.set('/tagged', (_, response) =>
    response
      .writeHead(200, {
        'Content-Type': 'text/html',
        'Content-Security-Policy': `script-src 'nonce-n1'; connect-src 'self' http://127.0.0.1:${gasoline.port}`,
      })
      .end(
        `<script nonce="n1">${config()}</script><script nonce="n1" src="/gasoline-ci.js"></script><h1>Tagged</h1><script nonce="n1">console.error('from the tag')</script>`,
      ),
  );
  const page = await context.newPage();
  await page.goto(site.url('/tagged'));
  await snapshot(says('from the tag'));
});

test('the script works through the DevTools protocol, in frames and after reloads', async ({
  context,
  config,
  site,
  snapshot,
}) => {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Page.enable');
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: config() + SMALL });
  await page.goto(site.url());
  await page.evaluate(() => console.error('first load'));
  await page.reload();
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.srcdoc = '<script>console.error("in srcdoc")</script>';
    document.body.append(frame);
  });
  const all = await snapshot((snapshot) => says('first load')(snapshot) && says('in srcdoc')(snapshot));
  expect(messages(all).filter((message) => message === 'in srcdoc').length).toBe(1);
});

test('the script runs once per document, and adds nothing but window.__gasoline', async ({
  context,
  config,
  site,
  snapshot,
}) => {
  await context.addInitScript({ content: config() + SMALL });
  await context.addInitScript({ content: config() + READABLE });
  const page = await context.newPage();
  await page.goto(site.url());
  await page.evaluate(() => console.error('said once'));
  const all = await snapshot(says('said once'));
  expect(messages(all).filter((message) => message === 'said once')).toHaveLength(1);
  const seen = await page.evaluate(() => ({
    own: Object.getOwnPropertyNames(window).filter((name) => /gasoline/i.test(name)),
    fetch: fetch.toString(),
    log: console.log.name,
  }));
  expect(seen).toEqual({ own: ['__gasoline'], fetch: 'function fetch() { [native code] }', log: 'log' });
});

test("the seed's global names the test", async ({ context, gasoline, site }) => {
  const config = JSON.stringify({ port: gasoline.port, token: TOKEN });
  const content = `window.__GASOLINE_TEST_ID='named by the seed';window.__GASOLINE_CI__=${config};${SMALL}`;
  await context.addInitScript({ content });
  const page = await context.newPage();
  await page.goto(site.url());
  await page.evaluate(() => console.error('whose am I'));
  await expect
    .poll(async () => messages(await gasoline.get<Answer>('/snapshot?test_id=named%20by%20the%20seed')))
    .toContain('whose am I');
});

test('events just before a page is left arrive', async ({ context, config, site, snapshot }) => {
  await context.addInitScript({ content: config() + SMALL });
  const page = await context.newPage();
  await page.goto(site.url());
  await page.evaluate(() => {
    addEventListener('beforeunload', () => console.error('last words'));
  });
  await page.goto(site.url('/?next'));
  await snapshot(says('last words'));
});

test('its own requests are neither captured nor counted', async ({ context, config, site, gasoline, snapshot }) => {
  await context.addInitScript({ content: config({ captureMode: 'all' }) + SMALL });
  const page = await context.newPage();
  await page.goto(site.url());
  await page.evaluate(() => console.error('one'));
  await snapshot(says('one'));
  await page.evaluate(() => console.error('two'));
  const all = await snapshot(says('two'));
  expect(JSON.stringify(all.network_bodies)).not.toContain(String(gasoline.port));
  await expect
    .poll(async () => JSON.stringify(await gasoline.get('/performance-snapshot?url=/')), { timeout: 60_000 })
    .toContain('requestCount');
  expect(JSON.stringify(await gasoline.get('/performance-snapshot?url=/'))).not.toContain(`:${gasoline.port}/`);
});

async function consoleOf(page: Page, work: () => Promise<void>): Promise<string[]> {
  const lines: string[] = [];
  page.on('console', (message) => lines.push(message.text()));
  page.on('pageerror', (error) => lines.push(`pageerror ${error.message}`));
  await work();
  return lines;
}

test('without a server there are three attempts, and none of our lines in the console', async ({ context, site }) => {
  const port = await freePort();
  await context.addInitScript({ content: `window.__GASOLINE_CI__={port:${port}};${SMALL}` });
  const page = await context.newPage();
  const tries: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes(`:${port}/`)) tries.push(request.url());
  });
  const lines = await consoleOf(page, async () => {
    await page.goto(site.url());
    let said = 0;
    const say = () =>
      page.evaluate((number) => {
        console.log(`line ${number}`);
        return '__gasoline' in window;
      }, said++);
    // It gives up, and restores the functions that it had wrapped.
    await expect.poll(say, { intervals: [500], timeout: 60_000 }).toBe(false);
    for (let more = 0; more < 4; more++) {
      await say();
      await page.waitForTimeout(500);
    }
  });
  expect(tries.length).toBeGreaterThan(0);
  expect(tries.length).toBeLessThanOrEqual(3);
  const others = lines.filter((line) => !/^line \d+$/.test(line));
  // The browser itself writes one line for each attempt.
  expect(others.every((line) => line.startsWith('Failed to load resource: net::ERR_CONNECTION_REFUSED'))).toBe(true);
});

test('with a wrong token there is one attempt', async ({ context, config, site, gasoline }) => {
  await context.addInitScript({ content: config({ token: 'wrong' }) + SMALL });
  const page = await context.newPage();
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes(`:${gasoline.port}/`)) posts.push(request.url());
  });
  await page.goto(site.url());
  await page.evaluate(() => console.error('nobody hears this'));
  await expect.poll(() => page.evaluate(() => '__gasoline' in window), { timeout: 60_000 }).toBe(false);
  expect(posts).toHaveLength(1);
});

test('an entry that makes the server fail is dropped and reported, and the others arrive', async ({
  context,
  config,
  site,
  snapshot,
}) => {
  await context.addInitScript({ content: config() + SMALL });
  const page = await context.newPage();
  await page.route('**/sync', (route) =>
    route.request().postData()?.includes('line 7"')
      ? route.fulfill({ status: 500, headers: { 'Access-Control-Allow-Origin': '*' }, body: '{}' })
      : route.fallback(),
  );
  await page.goto(site.url());
  await page.evaluate(() => {
    for (let number = 0; number < 20; number++) console.log(`line ${number}`);
  });
  // The loss is reported with the page's next event.
  const all = await expect
    .poll(
      async () => {
        await page.evaluate(() => console.log('still here'));
        return messages(await snapshot(says('still here'))).join('\n');
      },
      { timeout: 60_000 },
    )
    .toContain('1 events of this page were lost')
    .then(() => snapshot(says('still here')));
  const lines = messages(all).filter((message) => message.startsWith('line '));
  expect(lines).toEqual(
    Array.from({ length: 20 }, (_, number) => `line ${number}`).filter((line) => line !== 'line 7'),
  );
});

test('under a policy that blocks its requests the page works, and the violation is not reported', async ({
  context,
  config,
  site,
  snapshot,
}) => {
  site.routes.set('/strict', (_, response) =>
    response
      .writeHead(200, {
        'Content-Type': 'text/html',
        'Content-Security-Policy': "default-src 'self'; script-src 'unsafe-inline'",
      })
      .end('<h1>Strict</h1>'),
  );
  const heard: string[] = [];
  await context.exposeBinding('__gasolineSend', (_, text: string) => {
    const said = JSON.parse(text) as { events?: string[]; ask?: true };
    if (said.ask) return new Promise(() => {});
    heard.push(...(said.events ?? []));
  });
  await context.addInitScript({ content: config() + SMALL });
  const page = await context.newPage();
  await page.goto(site.url('/strict'));
  await page.evaluate(() => console.error('over the binding'));
  await expect.poll(() => heard.join('\n')).toContain('over the binding');
  expect(heard.join('\n')).not.toContain('"csp"');
  expect(await page.evaluate(() => typeof (window as { __gasolineSend?: unknown }).__gasolineSend)).toBe('undefined');
  // Without a binding it cannot send anything, and the page does not notice.
  const plain = await context.browser()?.newContext();
  await plain?.addInitScript({ content: config() + SMALL });
  const other = (await plain?.newPage()) as Page;
  await other.goto(site.url('/strict'));
  await other.evaluate(() => console.error('kept in'));
  await other.waitForTimeout(1_500);
  await other.goto(site.url());
  await other.evaluate(() => console.error('out again'));
  const all = await snapshot(says('out again'));
  expect(messages(all).join('\n')).not.toContain('Content security policy');
  await plain?.close();
});

test('events beyond the capacity of the queue are dropped, counted and reported', async ({
  context,
  config,
  site,
  snapshot,
}) => {
  await context.addInitScript({ content: config() + SMALL });
  const page = await context.newPage();
  await page.goto(site.url());
  await page.evaluate(() => {
    for (let line = 0; line < 5_000; line++) console.log(`flood ${line}`);
  });
  const all = await snapshot((snapshot) =>
    messages(snapshot).some((message) => / events of this page were lost/.test(message)),
  );
  expect(messages(all).at(-1)).toBeDefined();
  await snapshot(says('flood 4999'));
});

test('console, actions and sockets can be switched off', async ({ context, config, site, snapshot }) => {
  site.sockets.set('/socket', (socket) => socket.send('hello'));
  await context.addInitScript({ content: config({ level: 'error', actions: false, webSockets: false }) + SMALL });
  const page = await context.newPage();
  await page.goto(site.url());
  await page.click('#go');
  await page.evaluate(async () => {
    console.log('quiet');
    await new Promise((heard) => {
      new WebSocket(`ws://${location.host}/socket`).onmessage = heard;
    });
    console.error('loud');
  });
  const all = await snapshot(says('loud'));
  expect(messages(all)).toEqual(['loud']);
  expect(all.enhanced_actions).toEqual([]);
  expect(all.websocket_events).toEqual([]);
});

test('the function of older Playwrights, which looks itself up by name, is kept but not enumerable', async ({
  context,
  site,
}) => {
  await context.addInitScript({
    content: `window.__gasolineSend = (text) => {
      (globalThis['__gasolineSend'].said ??= []).push(text);
      return new Promise(() => {});
    };
    window.__gasolineSend.__installed = true;
    ${SMALL}`,
  });
  const page = await context.newPage();
  await page.goto(site.url());
  await page.evaluate(() => console.error('heard'));
  const said = () =>
    page.evaluate(() => (window as unknown as { __gasolineSend: { said: string[] } }).__gasolineSend.said.join());
  await expect.poll(said).toContain('heard');
  expect(await page.evaluate(() => Object.keys(window).filter((name) => /gasoline/i.test(name)))).toEqual([]);
});

test('errors show the source code, because the page uploads its own source maps', async ({
  context,
  config,
  site,
  snapshot,
}) => {
  const { outputFiles } = await build({
    stdin: {
      contents: 'export function pay(cart) {\n  return cart.address.street;\n}\nsetTimeout(() => pay({}));',
      sourcefile: 'src/pay.ts',
    },
    bundle: true,
    minify: true,
    write: false,
    sourcemap: 'external',
    outfile: 'app.js',
  });
  const [map, code] = outputFiles.map(({ text }) => text);
  const script =
    (text: string | undefined): Route =>
    (_, response) =>
      response.setHeader('content-type', 'text/javascript').end(text);
  site.routes.set('/app.js', script(`${code}\n//# sourceMappingURL=app.js.map`));
  site.routes.set('/app.js.map', script(map));
  site.routes.set('/shop', (_, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Shop</h1><script src="/app.js"></script>'),
  );
  await context.addInitScript({ content: config() + SMALL });
  const page = await context.newPage();
  await page.goto(site.url('/shop'));
  const all = await snapshot(({ logs }) => logs.some((entry: Answer) => entry._aiContext?.mappedStack));
  const { _aiContext } = all.logs.find((entry: Answer) => entry._aiContext?.mappedStack);
  expect(_aiContext.mappedStack[0]).toContain('src/pay.ts:2');
});
