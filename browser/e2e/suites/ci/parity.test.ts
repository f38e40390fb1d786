// Runs the same pages with the extension and with the CI script: the server must keep the same entries.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import type { Answer } from '../../support/agent';
import { launch } from '../../support/chromium';
import { failUntil } from '../../support/explained';
import { freePort } from '../../support/free-port.mjs';
import { Gasoline } from '../../support/gasoline';
import { json, type Site } from '../../support/site';
import { expect, test } from '../../support/test';
import { App } from '../../support/vite';

test.use({ options: { bodies: true } });

const SCRIPT = readFileSync(resolve(import.meta.dirname, '../../../ci/dist/gasoline-ci.min.js'), 'utf8');
const TOKEN = 'ingest-token-of-these-tests-0123456789abcdef';
const LISTS = ['logs', 'network_bodies', 'websocket_events', 'enhanced_actions', 'dom_snapshots'] as const;

/** Fields that only one of the two has, which of them, and why. */
const KNOWN_DIFFERENCES: Record<string, { only: 'extension' | 'script'; because: string }> = {
  tabId: { only: 'extension', because: 'browsers number their tabs for extensions alone' },
  test_id: { only: 'script', because: 'only test runs have tests' },
  worker: { only: 'script', because: 'only test runs have workers' },
};

function prepare(site: Site): void {
  site.routes.set('/api/fine', (_, response) => json(response, { fine: true, access_token: 'abcdefghijklmnop' }));
  site.routes.set('/api/missing', (_, response) => json(response, { error: 'no such order' }, 404));
  site.routes.set('/api/broken', (_, response) => json(response, { error: 'null pointer' }, 500));
  site.routes.set('/api/login', (_, response) =>
    json(response, { ok: true }, 200, { 'Set-Cookie': 'session=abcdefghijklmnop; HttpOnly', 'X-Served-By': 'one' }),
  );
  site.routes.set('/api/form', (_, response) => response.writeHead(204).end());
  site.routes.set('/api/bytes', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(Buffer.from([0, 159, 146, 150])),
  );
  site.routes.set('/api/never', () => {});
  site.sockets.set('/socket', (socket) => {
    socket.on('message', (_, isBinary) => {
      if (isBinary) return socket.terminate();
      socket.send(JSON.stringify({ type: 'welcome', access_token: 'abcdefghijklmnop' }));
      socket.send('enough');
    });
  });
}

interface Recording {
  snapshot: Answer;
  /** The page load, before any action. */
  load: Answer;
}

/** Everything a user and a page do, one after the other. */
async function play(page: Page, site: Site, gasoline: Gasoline, dead: number): Promise<Recording> {
  const pause = () => page.waitForTimeout(150);
  const step = async (code: string) => {
    await page.evaluate(code);
    await pause();
  };
  await page.goto(site.url('/parity.html'));
  const load = await loadOf(gasoline);
  await step('does.says()');
  await step('does.throws()');
  await step('does.rejects()');
  await step('does.rejectsAnObject()');
  await step(`does.asks('http://localhost:${dead}/refused')`);
  await step('does.asksByXhr()');
  await step('does.talks()');
  await step('does.loads()');
  await step(`does.violates('http://127.0.0.1:${site.port}/elsewhere.png')`);
  await step('does.annotates()');
  for (const work of [
    () => page.fill('#name', 'Ada Lovelace'),
    () => page.fill('#password', 'correct horse'),
    () => page.selectOption('#size', 'large'),
    () => page.check('#gift'),
    () => page.click('#send'),
    () => page.click('#throw'),
    () => page.press('#name', 'Enter'),
    () => page.evaluate('does.moves()'),
  ]) {
    await work();
    await pause();
  }
  await page.evaluate(`console.error('the end')`);
  return { snapshot: await snapshotOf(gasoline), load };
}

async function snapshotOf(gasoline: Gasoline): Promise<Answer> {
  let last: Answer = {};
  // The page's last snapshot comes after everything else.
  await expect
    .poll(
      async () => {
        last = await gasoline.get<Answer>('/snapshot');
        const isMoved = last.dom_snapshots.some(({ url }: Answer) => url.includes('view=done'));
        // Source code is reported after the errors.
        const thrown = last.logs.filter(({ stack, type }: Answer) => stack && type !== 'console');
        const isExplained = thrown.every(({ _aiContext }: Answer) => _aiContext?.sourceSnippets);
        return isMoved && isExplained && last.logs.some(({ message }: Answer) => message === 'the end');
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  return last;
}

async function loadOf(gasoline: Gasoline): Promise<Answer> {
  let last: Answer = {};
  await expect
    .poll(
      async () => {
        last = await gasoline.get<Answer>('/performance-snapshot?url=/parity.html');
        return last.snapshot?.timing;
      },
      { timeout: 60_000 },
    )
    .toBeTruthy();
  return last.snapshot;
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Texts about why messages are sampled or not. */
const RATE = /^[\d.]+ msg\/s /;
const MEASURED = new Set(['ts', 'timestamp', 'duration', 'date', 'perSecond']);
const NAMES = new Set(['id', 'page_id', 'requestId', 'connection_id']);

/** An entry without the parts that differ between any two recordings: times, and the ids of pages and entries. */
function plain(entry: Answer, names: Map<string, number>): Answer {
  return Object.fromEntries(
    Object.entries(entry)
      .filter(([name]) => !(name in KNOWN_DIFFERENCES))
      .map(([name, value]) => {
        if (NAMES.has(name)) return [name, numbered(value, names)];
        return [name, timeless(value, name)];
      }),
  );
}

/** Equal ids get equal numbers, so that entries that belong together still do. */
function numbered(name: string, names: Map<string, number>): number {
  const known = names.get(name) ?? names.size;
  names.set(name, known);
  return known;
}

function timeless(value: unknown, name = ''): unknown {
  const isMeasured = MEASURED.has(name) || (typeof value === 'string' && (TIME.test(value) || RATE.test(value)));
  if (isMeasured) return `a ${typeof value}`;
  if (Array.isArray(value)) return value.map((one) => timeless(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, timeless(one, name)]));
}

/** The shape of a load: every number is different each time. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shape(one)]));
}

function without(value: Answer, ...names: string[]): Answer {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** Requests arrive when their bodies have been read, and failed ones before others, so their order is not fixed. */
function inOrder(list: string, entries: Answer[]): Answer[] {
  const key = ({ url, method, ts }: Answer) => `${url} ${method} ${ts}`;
  if (list !== 'network_bodies') return entries;
  return [...entries].sort((one, other) => key(one).localeCompare(key(other)));
}

/** Runs work with a page that has the CI script, and its server. */
async function withScript(work: (page: Page, server: Gasoline) => Promise<void>): Promise<void> {
  const server = await new Gasoline().start(['--ci'], { GASOLINE_INGEST_TOKEN: TOKEN });
  const browser = await launch();
  try {
    const config = { port: server.port, token: TOKEN, testId: 'parity', worker: 3, captureMode: 'all' };
    await browser.addInitScript({ content: `window.__GASOLINE_CI__=${JSON.stringify(config)};${SCRIPT}` });
    await work(await browser.newPage(), server);
  } finally {
    await browser.close();
    await server.dispose();
  }
}

test('the extension and the CI script record the same', async ({ page, gasoline, site }) => {
  prepare(site);
  const dead = await freePort();
  await withScript(async (other, server) => {
    const [{ snapshot: extension, load }, { snapshot: script, load: loadByScript }] = await Promise.all([
      play(page, site, gasoline, dead),
      play(other, site, server, dead),
    ]);

    expect(Object.keys(extension).sort()).toEqual(Object.keys(script).sort());
    expect(extension.stats).toEqual(script.stats);
    for (const list of LISTS) {
      const [ours, theirs] = [new Map(), new Map()];
      const entries = (snapshot: Answer, names: Map<string, number>) =>
        inOrder(list, snapshot[list]).map((entry) => plain(entry, names));
      expect.soft(entries(script, theirs), list).toEqual(entries(extension, ours));
    }
    expect(LISTS.map((list) => script[list].length).every((length) => length >= 2)).toBe(true);

    const known = Object.keys(KNOWN_DIFFERENCES);
    expect(shape(without(loadByScript, ...known))).toEqual(shape(without(load, ...known)));
    expect(loadByScript.network.requestCount).toBe(load.network.requestCount);
    expect(loadByScript.network.byType).toEqual(load.network.byType);

    // Each known difference really is one.
    for (const [name, { only }] of Object.entries(KNOWN_DIFFERENCES)) {
      const has = (snapshot: Answer) => LISTS.some((list) => snapshot[list].some((entry: Answer) => name in entry));
      expect({ name, extension: has(extension), script: has(script) || name in loadByScript }).toEqual({
        name,
        extension: only === 'extension',
        script: only === 'script',
      });
    }
  });
});

test('the extension and the CI script name the components in which an error happened', async ({ page, gasoline }) => {
  const app = await App.start('react', 'failing-react');
  const ancestryOf = async (one: Page, server: Gasoline, way: string) => {
    const fail = async () => {
      await server.post('/clear');
      await one.goto(app.url('/'));
      await one.getByRole('button', { name: way }).click();
    };
    const find = ({ logs }: Answer): Answer | undefined =>
      logs.find(({ message }: Answer) => message.includes(`${way} failed`))?._aiContext?.componentAncestry;
    // Until the components are reported, the server can only guess from the stack.
    const isTold = (ancestry?: Answer) => ancestry && !ancestry.from;
    const snapshot = () => server.get<Answer>('/snapshot');
    return find(await failUntil(fail, snapshot, (answer) => isTold(find(answer)))) as Answer;
  };
  await withScript(async (other, server) => {
    for (const [way, leaf] of Object.entries({
      handler: 'Details',
      effect: 'History',
      timer: 'Details',
      render: 'Broken',
    })) {
      const [ours, theirs] = await Promise.all([ancestryOf(page, gasoline, way), ancestryOf(other, server, way)]);
      expect(theirs.components.at(-1).name, way).toBe(leaf);
      // Source positions are only for those who may read the source code.
      expect(ours.components.at(-1).source, way).toContain(`src/${leaf}.jsx:`);
      for (const component of ours.components) delete component.source;
      expect(theirs, way).toEqual(ours);
    }
  });
  await app.close();
});
