// What a page sees when it looks closely.

import { expect, html, logged, result, script, test } from './same';

test('wrapped functions look like the native ones', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set(
        '/',
        script(() => {
          const textOf = Function.prototype.toString;
          const describe = (owner: object, name: string) => {
            const descriptor = Object.getOwnPropertyDescriptor(owner, name);
            const value = descriptor?.value as (() => void) | undefined;
            if (typeof value !== 'function') return [name, typeof value];
            return [
              name,
              value.name,
              value.length,
              String(value),
              textOf.call(value),
              Object.prototype.toString.call(value),
              Object.getOwnPropertyNames(value).join(),
              'prototype' in value,
              Object.getPrototypeOf(value) === Function.prototype,
              Object.isExtensible(value),
              [descriptor?.writable, descriptor?.enumerable, descriptor?.configurable].join(),
            ];
          };
          const out: unknown[] = [];
          for (const name of [
            'fetch',
            'WebSocket',
            'EventSource',
            'XMLHttpRequest',
            'setTimeout',
            'requestIdleCallback',
            'Promise',
          ]) {
            out.push(describe(window, name));
          }
          for (const name of Object.getOwnPropertyNames(console)) out.push(describe(console, name));
          for (const type of [WebSocket, EventSource, XMLHttpRequest, EventTarget, History]) {
            for (const name of Object.getOwnPropertyNames(type.prototype)) {
              const { value } = Object.getOwnPropertyDescriptor(type.prototype, name) ?? {};
              if (typeof value === 'function') out.push([type.name, ...describe(type.prototype, name)]);
            }
          }
          out.push(describe(Function.prototype, 'toString'));
          out.push(describe(JSON, 'stringify'));
          return out;
        }),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      for (const line of (await result(page)) as unknown[]) note('function', line);
    },
    captured: logged('the page began'),
  });
});

test('wrapped constructors match their instances and prototypes', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set(
        '/',
        script(() => {
          const attempt = (work: () => unknown) => {
            try {
              return work();
            } catch (error) {
              return `${(error as Error).constructor.name} ${(error as Error).name}: ${(error as Error).message}`;
            }
          };
          const socket = new WebSocket('ws://localhost:1/');
          const source = new EventSource('/nothing');
          source.close();
          class Own extends WebSocket {
            constructor(address: string) {
              super(address, ['one', 'two']);
            }
            extra() {
              return 'extra';
            }
          }
          const own = new Own('ws://localhost:1/own');
          const construct = WebSocket as unknown as () => unknown;
          const anything = WebSocket as unknown as new (...args: unknown[]) => WebSocket;
          return [
            socket instanceof WebSocket,
            socket.constructor === WebSocket,
            WebSocket.prototype.constructor === WebSocket,
            Object.getPrototypeOf(socket) === WebSocket.prototype,
            Object.getPrototypeOf(WebSocket) === EventTarget,
            source instanceof EventSource,
            source.constructor === EventSource,
            EventSource.prototype.constructor === EventSource,
            [own instanceof Own, own instanceof WebSocket, own.extra(), own.constructor === Own, own.url],
            [
              WebSocket.CONNECTING,
              WebSocket.OPEN,
              WebSocket.CLOSING,
              WebSocket.CLOSED,
              EventSource.OPEN,
              XMLHttpRequest.DONE,
            ],
            attempt(() => construct()),
            attempt(() => new anything()),
            attempt(() => new anything('mailto:nobody')),
            attempt(() => new anything('ws://localhost:1/', 'not a protocol')),
            attempt(() => socket.send('too early')),
            attempt(() => socket.close(1)),
            attempt(() => WebSocket.prototype.send.call({} as WebSocket, 'x')),
            attempt(() => EventSource.prototype.close.call({} as EventSource)),
            attempt(() => new XMLHttpRequest().send()),
            attempt(() => new XMLHttpRequest().setRequestHeader('a', 'b')),
            attempt(() => new XMLHttpRequest().open('TRACE', '/')),
            attempt(() => new (fetch as unknown as new () => unknown)()),
            attempt(() => new (console.log as unknown as new () => unknown)()),
            attempt(() => Function.prototype.toString.call({})),
            attempt(() => class extends (fetch as unknown as new () => object) {}.name),
            attempt(
              () =>
                Object.getPrototypeOf(Reflect.construct(WebSocket, ['ws://localhost:1/'], Array)) === Array.prototype,
            ),
            Object.hasOwn(EventSource.prototype, 'addEventListener'),
            EventSource.prototype.addEventListener === EventTarget.prototype.addEventListener,
            Object.keys(socket).length,
            Object.getOwnPropertyNames(socket).join(),
            JSON.stringify(
              Object.entries(Object.getOwnPropertyDescriptors(WebSocket)).map(([name, { value }]) => [
                name,
                typeof value,
              ]),
            ),
          ];
        }),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      for (const line of (await result(page)) as unknown[]) note('says', line);
      await page.waitForTimeout(100);
    },
    racy: /WebSocket connection|Failed to load/,
    captured: logged('the page began'),
  });
});

test('nothing is added to the page but one hidden name', async ({ same }) => {
  const names = (page: Parameters<Parameters<typeof same>[0]['play']>[0]) =>
    page.evaluate(() => ({
      window: Object.getOwnPropertyNames(window),
      shown: Object.keys(window),
      looped: (() => {
        const out = [];
        for (const name in window) out.push(name);
        return out;
      })(),
      symbols: Object.getOwnPropertySymbols(window).map(String),
      document: [...Object.getOwnPropertyNames(document), ...Object.getOwnPropertyNames(Document.prototype)],
      navigator: Object.getOwnPropertyNames(navigator),
      console: Object.getOwnPropertyNames(console),
      prototypes: [
        Function,
        Object,
        Array,
        Promise,
        Event,
        EventTarget,
        Request,
        Response,
        WebSocket,
        EventSource,
        XMLHttpRequest,
        Error,
      ].map((type) =>
        [type.name, ...Object.getOwnPropertyNames(type), ...Object.getOwnPropertyNames(type.prototype)].join(),
      ),
      dom: document.documentElement.outerHTML,
      hidden: Object.getOwnPropertyDescriptor(window, '__gasoline')?.enumerable ?? null,
    }));
  const seen: Array<Awaited<ReturnType<typeof names>>> = [];
  await same({
    prepare(site) {
      site.routes.set('/', html('<p>plain</p><script>console.log("the page began")</script>'));
    },
    async play(page, site) {
      await page.goto(site.url());
      seen.push(await names(page));
    },
    captured: logged('the page began'),
  });
  const [without, seenWith] = seen;
  expect(seenWith).toEqual({
    ...without,
    window: [...(without?.window ?? []), '__gasoline'],
    hidden: false,
  });
});

test('a function of one realm is native for another', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set(
        '/',
        script(() => {
          const frame = document.createElement('iframe');
          document.body.append(frame);
          const inner = frame.contentWindow as Window & typeof globalThis;
          const textOf = inner.Function.prototype.toString;
          return [
            textOf.call(fetch),
            textOf.call(WebSocket),
            textOf.call(console.log),
            textOf.call(Function.prototype.toString),
            Function.prototype.toString.call(inner.fetch),
            inner.Function.prototype.toString.call(inner.fetch),
          ];
        }),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      for (const line of (await result(page)) as unknown[]) note('says', line);
    },
    captured: logged('the page began'),
    // It looks native, but without its name.
    limit: (without) => ({
      ...without,
      steps: without.steps.map((step, index) => (index < 4 ? step.replace(/function \w+/, 'function ') : step)),
    }),
  });
});

test('functions that cannot be cloned fail with the same message', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set(
        '/',
        script(() => {
          const attempt = (value: unknown) => {
            try {
              return structuredClone(value);
            } catch (error) {
              return `${(error as Error).name}: ${(error as Error).message}`;
            }
          };
          return [attempt(fetch), attempt({ log: console.log }), attempt([WebSocket])];
        }),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      for (const line of (await result(page)) as unknown[]) note('says', line);
    },
    captured: logged('the page began'),
  });
});

test('logging runs no code of the logged values', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set(
        '/',
        script(() => {
          const touched: string[] = [];
          const touch = (what: string) => void touched.push(what);
          const lively = {
            get field() {
              touch('getter');
              return 1;
            },
            toJSON() {
              touch('toJSON');
              return {};
            },
            toString() {
              touch('toString');
              return 'text';
            },
            [Symbol.toPrimitive]() {
              touch('toPrimitive');
              return 'primitive';
            },
            get [Symbol.toStringTag]() {
              touch('tag');
              return 'Lively';
            },
          };
          class Items extends Array {
            override [Symbol.iterator]() {
              touch('iterator');
              return super[Symbol.iterator]();
            }
          }
          const odd = Object.defineProperty({}, Symbol.iterator, { get: () => touch('iterator getter') });
          for (const method of ['log', 'warn', 'error', 'debug', 'dir', 'trace'] as const) {
            console[method](lively);
            touch(`after ${method}`);
            console[method]('text', [lively], new Map([[lively, lively]]), new Set([lively]), new Items(), odd);
            touch(`after ${method} of several`);
          }
          console.log('%o %O', lively, lively);
          touch('after formats');
          console.assert(false, lively);
          console.group(lively);
          console.groupEnd();
          console.log({ constructor: lively, name: lively, nodeType: 1, __proto__: null });
          touch('after odd names');
          return touched;
        }),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      note('touched', await result(page));
    },
    captured: logged('the page began'),
  });
});

test('an error that describes itself is called no more often than the browser calls it', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set(
        '/',
        script(() => {
          const touched = new Set<string>();
          class Odd extends Error {
            override get name() {
              return 'Odd';
            }
            get detail() {
              touched.add('detail');
              return 'detail';
            }
            override get cause() {
              touched.add('cause');
              return undefined;
            }
          }
          console.log(new Odd('odd'));
          console.error('text', new Odd('odd'));
          return [...touched];
        }),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      note('touched', await result(page));
    },
    captured: logged('the page began'),
  });
});

test('logging only reads a proxy', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set(
        '/',
        script(() => {
          const touched = new Set<string>();
          const traps: Record<string, unknown> = {};
          for (const name of ['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf'] as const) {
            traps[name] = (...args: [object, ...never[]]) => {
              touched.add(name);
              return (Reflect[name] as (...args: unknown[]) => unknown)(...args);
            };
          }
          console.log(new Proxy({ a: 1 }, traps as ProxyHandler<object>));
          return [...touched];
        }),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      note('touched', await result(page));
    },
    captured: logged('the page began'),
    // No script can distinguish a proxy from its target. Nothing is written, and no getter is called.
    limit: (without) => ({
      ...without,
      steps: ['touched: ["getPrototypeOf","ownKeys","getOwnPropertyDescriptor"]'],
    }),
  });
});

test('taking a stack does not call the page', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set(
        '/',
        script(() => {
          let asked = 0;
          (Error as unknown as { prepareStackTrace: unknown }).prepareStackTrace = (error: Error) => {
            asked++;
            return `my own stack of ${error.message}`;
          };
          console.warn('careful');
          console.error('trouble');
          console.trace('here');
          return asked;
        }),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      note('asked', await result(page));
    },
    captured: logged('the page began'),
  });
});

test('errors of wrapped functions carry only frames of the page', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set(
        '/',
        html(`<script>
          console.log('the page began');
          const failures = {
            fetch: () => fetch('http://localhost:1/'),
            badFetch: () => fetch('http://user:word@localhost/'),
            socket: () => new WebSocket('mailto:nobody'),
            send: () => new WebSocket('ws://localhost:1/').send('early'),
            source: () => new EventSource('http://['),
            open: () => new XMLHttpRequest().open('TRACE', '/'),
            xhr: () => new XMLHttpRequest().send(),
            toString: () => Function.prototype.toString.call({}),
          };
          window.stacks = {};
          window.done = Promise.all(Object.entries(failures).map(async ([name, work]) => {
            try { await work(); } catch (error) { stacks[name] = error.stack; }
          }));
        </script>`),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      await page.evaluate(() => (window as unknown as { done: Promise<unknown> }).done);
      note('stacks', await page.evaluate(() => (window as unknown as { stacks: unknown }).stacks));
    },
    racy: /WebSocket connection|Failed to load/,
    captured: logged('the page began'),
  });
});
