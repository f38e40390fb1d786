// The whole worker, without a browser: Chrome's interface is a stand-in, the server is a real one on its own port.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEFAULTS } from 'gasoline-capture/settings.gen';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { ExtensionWorker } from '../src/background/worker';
import type { Delivery } from '../src/shared/page-messages';

type Listener = (...given: never[]) => unknown;

/** The part of Chrome that keeps data and calls the worker. */
function fakeChrome(settings: object) {
  const listeners = new Map<string, Listener[]>();
  const event = (name: string) => ({
    addListener: (listener: Listener) => listeners.set(name, [...(listeners.get(name) ?? []), listener]),
  });
  const area = (kept: Map<string, unknown>) => ({
    get: async () => structuredClone(Object.fromEntries(kept)),
    set: async (items: object) => {
      for (const [key, value] of Object.entries(structuredClone(items))) kept.set(key, value);
    },
    remove: async (keys: string[]) => {
      for (const key of keys) kept.delete(key);
    },
  });
  const session = new Map<string, unknown>();
  const tab = { id: 7, url: 'http://localhost:3000/', title: 'Shop', active: true, windowId: 1 };
  const chrome = {
    runtime: {
      id: 'ours',
      getURL: (path: string) =>
        path === 'defaults.json' ? 'data:application/json,{}' : `chrome-extension://ours/${path}`,
      onMessage: event('message'),
      onInstalled: event('installed'),
      onStartup: event('startup'),
    },
    storage: { local: area(new Map([['settings', settings]])), session: area(session), onChanged: event('storage') },
    alarms: { create: async () => {}, onAlarm: event('alarm') },
    scripting: {
      getRegisteredContentScripts: async () => [],
      registerContentScripts: async () => {},
      executeScript: async () => [],
    },
    tabs: {
      get: async () => tab,
      query: async () => [tab],
      sendMessage: async () => true,
      onUpdated: event('tab updated'),
      onRemoved: event('tab removed'),
      onActivated: event('tab activated'),
    },
    windows: { getLastFocused: async () => ({ id: 1 }), onFocusChanged: event('focus') },
    action: Object.fromEntries(
      ['setBadgeText', 'setBadgeBackgroundColor', 'setBadgeTextColor', 'setTitle'].map((name) => [
        name,
        async () => {},
      ]),
    ),
    offscreen: { hasDocument: async () => false },
  };
  /** Sends a message and returns the worker's reply. */
  const send = (message: object, from: object) =>
    new Promise((reply) => {
      for (const listener of listeners.get('message') ?? [])
        listener(...([message, { id: 'ours', ...from }, reply] as never[]));
    });
  return { chrome, session, send, listeners };
}

const PAGE = { tab: { id: 7, active: true }, frameId: 0, url: 'http://localhost:3000/', documentId: 'D'.repeat(32) };
const POPUP = { url: 'chrome-extension://ours/popup.html' };

function delivery(number: number, ...messages: string[]): Delivery {
  const events = messages.map((message) => JSON.stringify({ type: 'console', level: 'error', message }));
  const batch = { pageId: 'p', events, dropped: 0, held: 0, urgent: true };
  return { type: 'deliver', from: 'a page', number, batch, unjudged: false };
}

/** Node has no WebSocket before version 22, and this one throws when nothing listens for errors. */
class QuietWebSocket extends WebSocket {
  constructor(address: string) {
    super(address);
    this.on('error', () => {});
  }
}

/** Waits long enough for a machine that stalls. */
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 30_000, interval: 20 });

let server: Server;
let worker: ExtensionWorker;
let fake: ReturnType<typeof fakeChrome>;
/** The messages that the server stored, batch by batch. */
let stored: string[][];
let status: number;
/** The server fails on batches that contain this. */
let poison: string | undefined;
/** How long the server takes to welcome the socket. */
let welcomeMillis: number;

beforeEach(async () => {
  stored = [];
  status = 200;
  poison = undefined;
  welcomeMillis = 0;
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url === '/pair') return response.end('{"token":"t"}');
    if (request.url !== '/sync') return response.writeHead(404).end('{}');
    const answer = poison && body.includes(poison) ? 500 : status;
    if (answer !== 200) return response.writeHead(answer).end('{}');
    const { events } = JSON.parse(body) as { events: Array<{ message: string }> };
    stored.push(events.map(({ message }) => message));
    response.end(JSON.stringify({ status: 'ok', event_count: events.length, rejected: 0 }));
  });
  new WebSocketServer({ server }).on('connection', (socket) => {
    socket.once('message', () => setTimeout(() => socket.send('{"type":"welcome","version":"1.2.3"}'), welcomeMillis));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  fake = fakeChrome({ ...DEFAULTS, server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  vi.stubGlobal('chrome', fake.chrome);
  vi.stubGlobal('WebSocket', QuietWebSocket);
  const { ExtensionWorker } = await import('../src/background/worker');
  worker = new ExtensionWorker();
  worker.listen();
  await worker.ready;
});
// The stand-ins stay, because calls that the worker started may end after the test.
afterEach(() => {
  worker.socket.close();
  server.closeAllConnections();
  server.close();
});

test('what a page delivers is queued, sent and counted', async () => {
  welcomeMillis = 500;
  expect(await fake.send(delivery(0, 'one', 'two'), PAGE)).toBe(true);
  await eventually(() => expect(stored).toEqual([['one', 'two']]));
  await eventually(() =>
    expect(worker.accounting).toEqual({ captured: 2, sent: 2, buffered: 0, dropped: 0, rejected: 0 }),
  );
  // Batches are sent over HTTP: the socket may still be connecting.
  await eventually(async () =>
    expect(await fake.send({ type: 'popup-state', tabId: 7 }, POPUP)).toMatchObject({
      connection: { state: 'connected', serverVersion: '1.2.3' },
      counts: { errors: 2 },
      site: { captured: true, needsReload: false },
      memory: { state: 'normal' },
    }),
  );
});

test('a delivery that is repeated is accepted once', async () => {
  await fake.send(delivery(0, 'one'), PAGE);
  expect(await fake.send(delivery(0, 'one'), PAGE)).toBe(true);
  await fake.send(delivery(1, 'two'), PAGE);
  await eventually(() => expect(stored.flat()).toEqual(['one', 'two']));
  expect(worker.accounting).toMatchObject({ captured: 2, dropped: 0 });
});

test('a delivery is stored before it is confirmed, and is sent once an unreachable server is back', async () => {
  status = 404;
  expect(await fake.send(delivery(0, 'kept'), PAGE)).toBe(true);
  expect(JSON.stringify([...fake.session])).toContain('kept');
  expect(worker.accounting).toMatchObject({ captured: 1, sent: 0, buffered: 1 });
  status = 200;
  await eventually(() => expect(stored).toEqual([['kept']]));
});

test('an entry that makes the server fail is dropped, and the others arrive', async () => {
  poison = 'poison';
  await fake.send(delivery(0, 'a', 'poison', 'b'), PAGE);
  await eventually(() => expect(stored.flat().sort()).toEqual(['a', 'b']));
  await eventually(() => expect(worker.accounting).toMatchObject({ captured: 3, sent: 2, rejected: 1, buffered: 0 }));
});

test('events captured before the settings were known are rejected if their site is not captured', async () => {
  const elsewhere = { ...PAGE, url: 'https://mail.example/' };
  expect(await fake.send({ ...delivery(0, 'private'), unjudged: true }, elsewhere)).toBe(true);
  expect(worker.accounting).toMatchObject({ captured: 0 });
});

test('other pages cannot send the requests of our own pages', async () => {
  expect(await fake.send({ type: 'debug-log' }, PAGE)).toBeUndefined();
  expect(await fake.send({ type: 'debug-log' }, POPUP)).toHaveProperty('text');
  expect(worker.log.text()).toContain('a message was not handled');
});
