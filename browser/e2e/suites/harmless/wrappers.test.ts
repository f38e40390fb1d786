// Pages that replace, restore, freeze or extend what we wrapped, or rewrite their document.

import type { Site } from '../../support/site';
import { json } from '../../support/site';
import { connected, expect, html, logged, requested, result, script, test } from './same';

function api(site: Site): void {
  site.routes.set('/data', (_, response) => json(response, { data: true }));
  site.sockets.set('/echo', (socket) => socket.on('message', (data, binary) => socket.send(data, { binary })));
}

test('a page that wraps everything itself, and later restores it, behaves the same', async ({ same }) => {
  await same({
    prepare(site) {
      api(site);
      site.routes.set(
        '/',
        script(async () => {
          const calls: unknown[] = [];
          const saved = {
            fetch: window.fetch,
            WebSocket: window.WebSocket,
            log: console.log,
            error: console.error,
            open: XMLHttpRequest.prototype.open,
          };
          window.fetch = function (this: unknown, ...args: Parameters<typeof fetch>) {
            calls.push(['fetch', args[0], this === window || this === undefined]);
            return saved.fetch.apply(this as Window, args);
          };
          window.WebSocket = class extends saved.WebSocket {
            constructor(...args: [string | URL]) {
              calls.push(['WebSocket', args.length]);
              super(...args);
            }
          };
          console.log = (...args: unknown[]) => {
            calls.push(['log', args.length]);
            saved.log.apply(console, ['wrapped:', ...args]);
          };
          console.error = saved.log;
          XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, ...args: unknown[]) {
            calls.push(['open', args[0]]);
            return (saved.open as (...args: unknown[]) => void).apply(this, args);
          } as typeof saved.open;
          const use = async () => {
            const answer = await (await fetch('/data')).json();
            console.log('used', answer);
            console.error('an error');
            const socket = new WebSocket(`ws://localhost:${location.port}/echo`);
            await new Promise((done) => {
              socket.onopen = done;
            });
            socket.send('hello');
            const { data } = await new Promise<MessageEvent>((done) => {
              socket.onmessage = done;
            });
            socket.close();
            const xhr = new XMLHttpRequest();
            await new Promise((done) => {
              xhr.open('GET', '/data');
              xhr.onload = done;
              xhr.send();
            });
            calls.push([answer, data, xhr.responseText, socket instanceof WebSocket]);
          };
          await use();
          window.fetch = saved.fetch;
          window.WebSocket = saved.WebSocket;
          console.log = saved.log;
          console.error = saved.error;
          XMLHttpRequest.prototype.open = saved.open;
          await use();
          calls.push([window.fetch === saved.fetch, Reflect.deleteProperty(window, 'fetch'), typeof window.fetch]);
          return calls;
        }),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      note('calls', await result(page));
    },
    captured: [logged('used'), requested('/data'), connected('/echo')],
  });
});

test('a page that freezes the console and fetch behaves the same', async ({ same }) => {
  await same({
    prepare(site) {
      api(site);
      site.routes.set(
        '/',
        script(async () => {
          Object.freeze(console);
          Object.defineProperty(window, 'fetch', { value: window.fetch, writable: false, configurable: false });
          Object.freeze(WebSocket);
          Object.freeze(WebSocket.prototype);
          Object.freeze(XMLHttpRequest.prototype);
          Object.freeze(Function.prototype);
          Object.freeze(Object.prototype);
          Object.freeze(Array.prototype);
          Object.freeze(Promise.prototype);
          console.log('frozen', { a: 1 });
          console.error(new Error('frozen too'));
          const answer = await (await fetch('/data')).json();
          const failures: unknown[] = [];
          for (const work of [
            () => Object.assign(console, { log: null }),
            () => Object.assign(window, { fetch: null }),
            () => Object.defineProperty(window, 'fetch', { value: null }),
          ]) {
            try {
              work();
              failures.push('worked');
            } catch (error) {
              failures.push((error as Error).message);
            }
          }
          const socket = new WebSocket(`ws://localhost:${location.port}/echo`);
          await new Promise((done) => {
            socket.onopen = done;
          });
          socket.send('hello');
          const { data } = await new Promise<MessageEvent>((done) => {
            socket.onmessage = done;
          });
          socket.close();
          return [answer, data, failures, Object.isFrozen(console), Object.isFrozen(WebSocket)];
        }),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      note('told', await result(page));
    },
    captured: [logged('frozen'), requested('/data')],
  });
});

test('a page counts the same calls of built-ins', async ({ same }) => {
  await same({
    prepare(site) {
      api(site);
      site.routes.set(
        '/',
        script(async () => {
          const counts: Record<string, number> = {};
          const { setTimeout } = window;
          const { stringify } = JSON;
          const count = (owner: object, name: string) => {
            const native = (owner as Record<string, (...args: unknown[]) => unknown>)[name];
            Object.defineProperty(owner, name, {
              configurable: true,
              writable: true,
              value: function (this: unknown, ...args: unknown[]) {
                counts[name] = (counts[name] ?? 0) + 1;
                return native?.apply(this, args);
              },
            });
          };
          count(JSON, 'stringify');
          count(JSON, 'parse');
          count(window, 'setTimeout');
          count(window, 'requestIdleCallback');
          count(EventTarget.prototype, 'addEventListener');
          count(EventTarget.prototype, 'dispatchEvent');
          count(Promise.prototype, 'then');
          count(Promise.prototype, 'catch');
          count(Date, 'now');
          count(performance, 'now');
          count(Response.prototype, 'clone');
          count(Request.prototype, 'clone');
          count(Blob.prototype, 'text');
          count(ReadableStream.prototype, 'getReader');
          count(ReadableStreamDefaultReader.prototype, 'read');
          count(document, 'createElement');
          count(document, 'querySelectorAll');
          console.log('one line', { a: [1, 2] });
          console.warn('a warning');
          fetch('/data').then((response) => response.text());
          fetch(new Request('/data', { method: 'POST', body: '{}' }));
          const socket = new WebSocket(`ws://localhost:${location.port}/echo`);
          socket.onopen = () => socket.send('hello');
          setTimeout(() => {
            document.title = `counted ${stringify(counts)}`;
          }, 900);
        }),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      await expect(page).toHaveTitle(/counted/);
      // The page's own calls are the same in both; additional ones are ours.
      const counts = JSON.parse((await page.title()).slice('counted '.length)) as Record<string, number>;
      note('calls', Object.entries(counts).sort());
    },
    captured: logged('one line'),
  });
});

test('a page that extends WebSocket and patches its prototype behaves the same', async ({ same }) => {
  await same({
    prepare(site) {
      api(site);
      site.routes.set(
        '/',
        script(async () => {
          const seen: unknown[] = [];
          const { send, close } = WebSocket.prototype;
          WebSocket.prototype.send = function (data) {
            seen.push(['send', typeof data]);
            return send.call(this, data);
          };
          WebSocket.prototype.close = function (...args) {
            seen.push(['close', ...args]);
            return close.apply(this, args);
          };
          const onmessage = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage') as PropertyDescriptor;
          Object.defineProperty(WebSocket.prototype, 'onmessage', {
            ...onmessage,
            set(listener) {
              seen.push(['onmessage']);
              onmessage.set?.call(this, listener);
            },
          });
          class Chat extends WebSocket {
            readonly heard: unknown[] = [];
            constructor() {
              super(`ws://localhost:${location.port}/echo`);
              this.binaryType = 'arraybuffer';
              this.addEventListener('message', ({ data }) =>
                this.heard.push(typeof data === 'string' ? data : [...new Uint8Array(data)]),
              );
            }
            override send(data: string | ArrayBuffer | Blob) {
              super.send(data);
            }
          }
          const chat = new Chat();
          const next = () =>
            new Promise<MessageEvent>((done) => {
              chat.onmessage = done;
            });
          await new Promise((done) => {
            chat.onopen = done;
          });
          for (const data of ['text', new Uint8Array([1, 2]).buffer, new Blob(['blob'])]) {
            const answer = next();
            chat.send(data);
            const event = await answer;
            seen.push([event.isTrusted, event.origin.startsWith('ws://localhost'), event.constructor === MessageEvent]);
          }
          const closed = new Promise<CloseEvent>((done) => {
            chat.onclose = done;
          });
          chat.close(4001, 'enough');
          const { code, reason, wasClean } = await closed;
          seen.push([
            code,
            reason,
            wasClean,
            chat.heard,
            chat.readyState,
            chat instanceof WebSocket,
            chat.constructor.name,
          ]);
          const transferred = new Uint8Array([1, 2, 3]).buffer;
          structuredClone(transferred, { transfer: [transferred] });
          seen.push(transferred.byteLength);
          return seen;
        }),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      note('seen', await result(page));
    },
    frames: true,
    captured: connected('/echo'),
  });
});

test('an EventSource behaves the same with plain and named events and when it breaks', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set('/events', (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write('retry: 60000\n\ndata: one\n\nevent: named\nid: 7\ndata: two\n\nevent: other\ndata: three\n\n');
      });
      site.routes.set('/refused', (_, response) => void response.writeHead(204).end());
      site.routes.set(
        '/',
        script(async () => {
          const seen: unknown[] = [];
          const source = new EventSource('/events');
          const twice = (event: MessageEvent) => seen.push(['twice', event.data]);
          const handler = {
            handleEvent: (event: MessageEvent) => seen.push(['object', event.data, event.lastEventId]),
          };
          source.addEventListener('named', twice);
          source.addEventListener('named', twice);
          source.addEventListener('named', handler as unknown as EventListener);
          source.addEventListener('named', () => seen.push(['once']), { once: true });
          source.addEventListener('other', null as unknown as EventListener);
          const gone = () => seen.push(['removed']);
          source.addEventListener('named', gone);
          source.removeEventListener('named', gone);
          source.onmessage = ({ data }) => seen.push(['message', data]);
          await new Promise((done) => source.addEventListener('other', done));
          source.close();
          seen.push([source.readyState, source.url.endsWith('/events')]);
          const refused = new EventSource('/refused');
          const { type } = await new Promise<Event>((done) => {
            refused.onerror = done;
          });
          seen.push([type, refused.readyState]);
          return seen;
        }),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      note('seen', await result(page));
    },
    captured: connected('/events'),
  });
});

test('a page that rewrites its document behaves the same', async ({ same }) => {
  await same({
    prepare(site) {
      api(site);
      site.routes.set('/', html('<p>old</p><script>console.log("the old page")</script>'));
    },
    async play(page, site, note) {
      await page.goto(site.url());
      await page.evaluate(() => {
        (window as unknown as { kept: unknown }).kept = fetch;
        document.open();
        document.write('<!doctype html><title>new</title><button onclick="console.log(\'pressed\')">new</button>');
        document.write(
          '<script>console.log("the new page", fetch === kept); window.told = fetch("/data").then((r) => r.json())</script>',
        );
        document.close();
      });
      note('told', await page.evaluate(() => (window as unknown as { told: unknown }).told));
      await page.getByRole('button').click();
      note('html', await page.content());
      const thrown = page.waitForEvent('pageerror');
      await page.evaluate(() => {
        setTimeout(() => {
          throw new Error('in the new page');
        });
      });
      await thrown;
    },
    captured: [logged('the new page'), logged('pressed')],
  });
});

test('documents that are not HTML behave the same', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set('/', html('<script>console.log("the page after them")</script>'));
      for (const [path, type, text] of [
        [
          '/image.svg',
          'image/svg+xml',
          '<svg xmlns="http://www.w3.org/2000/svg"><script>console.log("in an image")</script></svg>',
        ],
        ['/page.xml', 'text/xml', '<a><b>text</b></a>'],
        [
          '/page.xhtml',
          'application/xhtml+xml',
          '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>x</p></body></html>',
        ],
        ['/plain.txt', 'text/plain', 'plain text'],
        ['/data.json', 'application/json', '{"a":1}'],
      ] as const) {
        site.routes.set(path, (_, response) => void response.writeHead(200, { 'Content-Type': type }).end(text));
      }
    },
    async play(page, site, note) {
      // Scripts in these run as in any page, and so does our script.
      for (const path of ['/image.svg', '/page.xml', '/page.xhtml', '/plain.txt', '/data.json']) {
        await page.goto(site.url(path));
        note(path, await page.evaluate(() => new XMLSerializer().serializeToString(document)));
      }
      await page.goto(site.url());
    },
    captured: logged('the page after them'),
  });
});
