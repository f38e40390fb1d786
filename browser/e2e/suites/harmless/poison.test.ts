// Pages whose built-ins throw, one after the other, whenever our script calls them. Capture may miss something then,
// but the page works and sees no error. The test itself finds out which built-ins those are.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launch } from '../../support/chromium';
import { json, type Site } from '../../support/site';
import { expect, html, test } from './same';

const CI_SCRIPT = join(import.meta.dirname, '../../../ci/dist/gasoline-ci.js');

declare global {
  interface Window {
    /** The built-ins that our script calls, recorded while `learning`. */
    used: Set<string>;
    poison: { learn(): void; use(name: string): void; stop(): void };
    exercise(): Promise<string[]>;
  }
}

/** The page's first script: replaces every built-in by a double that checks who calls it. */
function laboratory(): void {
  // `addEventListener` is wrapped with the first EventSource. If that wrapped a double, we would call it for the page.
  new EventSource('/events').close();
  const { apply, construct, getOwnPropertyDescriptor, defineProperty, ownKeys } = Reflect;
  const NativeError = Error;
  const { includes, split } = String.prototype;
  const call = (work: unknown, self: unknown, args: unknown[]) => apply(work as () => unknown, self, args);
  let learning = false;
  let poisoned = '';
  let asking = false;
  const used: Record<string, true> = {};
  const has = Object.prototype.hasOwnProperty;
  /** Whether the caller is our script, or the engine on its behalf. */
  const isOurs = () => {
    const { stackTraceLimit } = NativeError;
    NativeError.stackTraceLimit = 4;
    const { stack } = new NativeError();
    NativeError.stackTraceLimit = stackTraceLimit;
    const line = (call(split, stack, ['\n']) as string[])[4] ?? '';
    return call(includes, line, ['gasoline:']) as boolean;
  };
  const meet = (name: string) => {
    if (asking || (!learning && poisoned !== name)) return;
    asking = true;
    const ours = isOurs();
    asking = false;
    if (!ours) return;
    if (learning) used[name] = true;
    else throw new NativeError(`poisoned: ${name}`);
  };
  const double = (name: string, native: (...args: unknown[]) => unknown) =>
    new Proxy(native, {
      apply(target, self, args) {
        meet(name);
        return apply(target, self, args);
      },
      construct(target, args, newTarget) {
        meet(name);
        return construct(target, args, newTarget) as object;
      },
    });
  const owners: Array<[string, object]> = [];
  const names = ownKeys(window).filter((name) => typeof name === 'string' && /^[A-Z]/.test(name)) as string[];
  for (const name of names) {
    const value: unknown = getOwnPropertyDescriptor(window, name)?.value;
    if (typeof value !== 'function' || name === 'Proxy') continue;
    owners.push([name, value]);
    if (value.prototype) owners.push([`${name}.prototype`, value.prototype]);
  }
  for (const name of ['JSON', 'Math', 'Reflect', 'crypto', 'performance', 'CSS']) {
    owners.push([name, (window as unknown as Record<string, object>)[name] as object]);
  }
  owners.push(['window', window]);
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  owners.push(['Array Iterator', Object.getPrototypeOf([][Symbol.iterator]())], ['Iterator', iterator]);
  owners.push(['Map Iterator', Object.getPrototypeOf(new Map().entries())]);
  const NEVER =
    /^(window\.(?!(fetch|setTimeout|clearTimeout|requestIdleCallback|queueMicrotask|getComputedStyle|event|scroll[XY])$)|Error\.stackTraceLimit|Function\.prototype\.(caller|arguments))/;
  for (const [owner, object] of owners) {
    for (const key of ownKeys(object)) {
      const name = `${owner}.${String(key)}`;
      const found = getOwnPropertyDescriptor(object, key);
      if (!found?.configurable || key === 'constructor' || (owner === 'window' && NEVER.test(name))) continue;
      if (NEVER.test(name)) continue;
      const { value, get } = found;
      // Except built-ins that `meet` itself needs, and names that pages compare.
      if (typeof value === 'function' && typeof key !== 'symbol' && /^[A-Z]/.test(key)) continue;
      if (typeof value === 'function') defineProperty(object, key, { ...found, value: double(name, value) });
      else if (get) {
        defineProperty(object, key, {
          ...found,
          get: double(name, get as () => unknown),
        });
      }
    }
  }
  window.poison = {
    learn() {
      learning = true;
    },
    use(name) {
      learning = false;
      poisoned = name;
    },
    stop() {
      learning = false;
      poisoned = '';
    },
  };
  defineProperty(window, 'used', { get: () => ownKeys(used).filter((name) => call(has, used, [name])) });
}

/** Uses everything that is captured, and returns what happened. */
async function exercise(): Promise<string[]> {
  const told: string[] = [];
  const note = (what: string, value: unknown) => told.push(`${what}: ${JSON.stringify(value)}`);
  const failure = (error: unknown) => `${(error as Error).name}: ${(error as Error).message}`;
  const step = async (what: string, work: () => unknown) => {
    try {
      note(what, await work());
    } catch (error) {
      note(what, failure(error));
    }
  };
  const errors: string[] = [];
  const hear = (event: Event) => {
    const { message, reason } = event as Event & { message?: string; reason?: unknown };
    errors.push(`${event.type} ${message ?? failure(reason)}`);
  };
  addEventListener('error', hear);
  addEventListener('unhandledrejection', hear);
  const api = (window as unknown as { __gasoline: Record<string, (...args: unknown[]) => unknown> }).__gasoline;
  await step('annotate', () => api.annotate?.('key', { some: ['value'] }) !== undefined);
  await step('annotations', () => typeof api.getAnnotations?.());
  await step('console', () => {
    console.log('a line', { of: ['values', new Map([[1, new Error('x')]]), document.body, 7n, new Date(0)] });
    console.error(new TypeError('an error that is logged'));
    console.warn('%s and %d', 'text', 5);
    console.assert(false, 'no');
    console.count('n');
  });
  await step('json', async () => (await fetch('/data', { headers: { 'X-One': '1' } })).json());
  await step('not json', async () => (await fetch('/html')).json());
  await step(
    'failed',
    async () => (await fetch(new Request('/missing', { method: 'POST', body: 'sent' }).clone())).status,
  );
  await step('no answer', () => fetch('http://localhost:1/'));
  await step('form', async () => {
    const body = new FormData();
    body.set('a', 'b');
    const answers = [
      body,
      new Blob(['{}'], { type: 'application/json' }),
      new Uint8Array(4),
      new URLSearchParams('a=b'),
    ];
    const statuses = await Promise.all(answers.map((body) => fetch('/data', { method: 'POST', body })));
    return statuses.map(({ status }) => status);
  });
  await step('pieces', async () => {
    const reader = (await fetch('/data')).body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    return value?.length;
  });
  await step('stream', async () => {
    let text = '';
    for await (const part of (await fetch('/events')).body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(part);
    }
    return text;
  });
  for (const type of ['', 'json', 'blob', 'document'] as const) {
    await step(`xhr ${type}`, async () => {
      const xhr = new XMLHttpRequest();
      xhr.open('GET', '/data');
      xhr.responseType = type;
      xhr.setRequestHeader('X-Two', '2');
      const ended = new Promise((done) => xhr.addEventListener('loadend', done));
      xhr.send();
      await ended;
      return [xhr.status, type === 'json' && xhr.response];
    });
  }
  await step('socket', async () => {
    const socket = new WebSocket(`ws://${location.host}/echo`);
    await new Promise((done) => socket.addEventListener('open', done));
    const echoed: unknown[] = [];
    for (const sent of ['{"type":"hello"}', new Uint8Array([1, 2, 3]), new Blob(['blob'])]) {
      const heard = new Promise<MessageEvent>((done) =>
        socket.addEventListener('message', done as never, { once: true }),
      );
      socket.send(sent);
      const { data } = await heard;
      echoed.push(typeof data === 'string' ? data : (data as Blob).size);
    }
    const closed = new Promise((done) => socket.addEventListener('close', done));
    socket.close();
    await closed;
    return echoed;
  });
  await step('source', async () => {
    const source = new EventSource('/events');
    const { data } = await new Promise<MessageEvent>((done) => source.addEventListener('message', done as never));
    source.close();
    return data;
  });
  await step('route', () => {
    history.pushState(null, '', `?${performance.now()}`);
    history.replaceState(null, '', '/');
  });
  await step('select', () => {
    document.querySelector('select')?.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await step('names', () => [
    String(fetch),
    fetch.name,
    String(console.log),
    fetch.toString === Function.prototype.toString,
  ]);
  await step('left', () => dispatchEvent(new Event('pagehide')));
  setTimeout(() => {
    throw new Error('planned');
  });
  void Promise.reject(new Error('planned, too'));
  const idle = () => new Promise((done) => requestIdleCallback(done, { timeout: 100 }));
  // Batches wait for 50 ms, and deferred work runs when the page is idle.
  await new Promise((done) => setTimeout(done, 70));
  await idle();
  await idle();
  removeEventListener('error', hear);
  removeEventListener('unhandledrejection', hear);
  return [...told, ...errors.sort()];
}

function routes(site: Site): void {
  site.routes.set(
    '/',
    html(`<select><option>one</option></select><button data-testid="go">Go</button><form><input name="q"></form>
      <script>(${laboratory.toString()})(); window.exercise = ${exercise.toString()}</script>`),
  );
  site.routes.set('/data', (_, response) => json(response, { data: [1, 2, 3] }));
  site.routes.set('/html', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>not json');
  });
  site.routes.set('/events', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('data: event\n\n');
  });
  site.sockets.set('/echo', (socket) => socket.on('message', (data, binary) => socket.send(data, { binary })));
}

/** Plays a round, with a click and a key press of the user. */
async function round(page: Page, poisoned?: string): Promise<string[]> {
  await page.evaluate((name) => (name ? window.poison.use(name) : undefined), poisoned);
  const told = page.evaluate(() => window.exercise().catch((error: unknown) => [`broken: ${error}`]));
  await page.click('button');
  await page.locator('input').fill('typed');
  await page.keyboard.press('Tab');
  const seen = await told;
  await page.evaluate(() => window.poison.stop());
  return seen;
}

async function poisonEach(page: Page, least: number): Promise<void> {
  const clean = await round(page);
  await page.evaluate(() => window.poison.learn());
  expect(await round(page)).toEqual(clean);
  expect(clean.at(-1)).toBe('unhandledrejection Error: planned, too');
  const used = await page.evaluate(() => [...window.used]);
  expect(used.length).toBeGreaterThan(least);
  const harmed: Record<string, unknown> = {};
  for (const name of used) {
    const seen = await round(page, name);
    const different = seen.filter((line) => !clean.includes(line));
    if (seen.join() !== clean.join()) harmed[name] = different;
  }
  expect(harmed).toEqual({});
}

test('a page works while each built-in that the extension calls throws', async ({ site, page }) => {
  test.setTimeout(600_000);
  routes(site);
  await page.goto(site.url());
  await poisonEach(page, 80);
});

test('a page works while each built-in that the CI script calls throws', async ({ site }) => {
  test.setTimeout(600_000);
  routes(site);
  const context = await launch(undefined, []);
  try {
    const page = await context.newPage();
    await page.addInitScript(`globalThis.__gasolineSend = async () => {};`);
    await page.addInitScript({ content: readFileSync(CI_SCRIPT, 'utf8') });
    await page.goto(site.url());
    await poisonEach(page, 80);
  } finally {
    await context.close();
  }
});
