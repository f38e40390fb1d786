// Libraries that use the network for the page, or wrap what we wrap.

import type { Site } from '../../support/site';
import { json } from '../../support/site';
import { bundled, connected, expect, fromPackage, html, logged, requested, test } from './same';

function api(site: Site): void {
  site.routes.set('/data', (_, response) => json(response, { fruit: ['apple', 'pear'] }));
  site.routes.set('/echo', (request, response, body) => {
    json(response, { method: request.method, type: request.headers['content-type'] ?? null, body }, 201, {
      'X-Echo': 'yes',
    });
  });
  site.routes.set('/missing', (_, response) => json(response, { problem: 'missing' }, 404));
  site.routes.set('/slow', (_, response) => {
    const timer = setTimeout(() => response.end('slow'), 5_000);
    response.on('close', () => clearTimeout(timer));
  });
  site.routes.set('/page.xml', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/xml' }).end('<fruit><apple size="3"/></fruit>');
  });
  site.routes.set('/script.js', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/javascript' }).end('window.scripted = (window.scripted ?? 0) + 1;');
  });
  site.routes.set('/events', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('data: one\n\nevent: named\nid: 7\ndata: two\n\n');
  });
  site.sockets.set('/echo', (socket) => socket.on('message', (data, binary) => socket.send(data, { binary })));
}

test('axios and jQuery behave the same', async ({ same }) => {
  await same({
    prepare(site) {
      api(site);
      site.routes.set('/axios.js', fromPackage('axios', 'dist/axios.min.js'));
      site.routes.set('/jquery.js', fromPackage('jquery', 'dist/jquery.min.js'));
      site.routes.set('/', html('<ul></ul><script src="/axios.js"></script><script src="/jquery.js"></script>'));
    },
    async play(page, site, note) {
      await page.goto(site.url());
      note(
        'axios',
        await page.evaluate(async () => {
          // biome-ignore lint/suspicious/noExplicitAny: a global of the library's script
          const { axios } = window as any;
          const out: unknown[] = [];
          for (const adapter of ['xhr', 'fetch']) {
            const client = axios.create({ adapter });
            client.interceptors.request.use((config: { headers: Record<string, string> }) => {
              config.headers['X-Client'] = 'axios';
              return config;
            });
            const { data, status } = await client.get('/data');
            out.push([adapter, status, data]);
            const { data: echoed, headers } = await client.post('/echo', { name: 'Ada' });
            out.push([echoed, headers['x-echo']]);
            const form = new FormData();
            form.append('file', new File(['text'], 'name.txt', { type: 'text/plain' }));
            const { data: uploaded } = await client.post('/echo', form);
            out.push([uploaded.type.split(';')[0], uploaded.body.includes('name.txt')]);
            const progress: number[] = [];
            const { data: buffer } = await client.get('/data', {
              responseType: 'arraybuffer',
              onDownloadProgress: ({ loaded }: { loaded: number }) => progress.push(loaded),
            });
            out.push([buffer.byteLength, progress.at(-1)]);
            for (const failing of [
              () => client.get('/missing'),
              () => client.get('/slow', { timeout: 100 }),
              () => client.get('http://localhost:1/'),
              () => client.get('/slow', { signal: AbortSignal.timeout(100) }),
            ]) {
              out.push(
                await failing().catch(
                  (error: { name: string; message: string; code: string; response?: { data: unknown } }) => [
                    error.name,
                    error.message,
                    error.code,
                    error.response?.data,
                  ],
                ),
              );
            }
          }
          return out;
        }),
      );
      note(
        'jquery',
        await page.evaluate(async () => {
          // biome-ignore lint/suspicious/noExplicitAny: a global of the library's script
          const { $ } = window as any;
          const out: unknown[] = [];
          const events: string[] = [];
          $(document).on('ajaxSend ajaxSuccess ajaxError ajaxComplete', (event: Event, xhr: XMLHttpRequest) =>
            events.push(`${event.type} ${xhr.status}`),
          );
          out.push(await $.getJSON('/data'));
          out.push(await $.post('/echo', { name: 'Ada', list: [1, 2] }));
          out.push(
            $(await $.get('/page.xml'))
              .find('apple')
              .attr('size'),
          );
          await $.getScript('/script.js');
          out.push((window as unknown as { scripted: number }).scripted);
          out.push(await $.ajax('/missing').catch((xhr: XMLHttpRequest) => [xhr.status, xhr.responseText]));
          out.push(
            await $.ajax('/slow', { timeout: 100 }).catch((xhr: XMLHttpRequest) => [xhr.status, xhr.statusText]),
          );
          const aborted = $.ajax('/slow');
          setTimeout(() => aborted.abort(), 50);
          out.push(await aborted.catch((xhr: XMLHttpRequest) => [xhr.status, xhr.statusText]));
          out.push(events);
          return out;
        }),
      );
    },
    tidy: (text) => text.replace(/_=\d+/g, '_=…'),
    captured: [requested('/data'), requested('/missing')],
  });
});

test('zone.js behaves the same when it is loaded first, as in Angular', async ({ same }) => {
  const seen = await same({
    prepare(site) {
      api(site);
      site.routes.set('/zone.js', fromPackage('zone.js', 'bundles/zone.umd.js'));
      site.routes.set('/', html('<button>press</button><script src="/zone.js"></script>'));
    },
    async play(page, site, note) {
      await page.goto(site.url());
      const told = await page.evaluate(async () => {
        // biome-ignore lint/suspicious/noExplicitAny: a global of the library's script
        const { Zone } = window as any;
        const out: unknown[] = [];
        const tasks: Record<string, number> = {};
        const within: Record<string, string> = {};
        const zone = Zone.current.fork({
          name: 'app',
          // How Angular knows when to check for changes.
          onScheduleTask(
            delegate: { scheduleTask(target: unknown, task: unknown): unknown },
            _: unknown,
            target: unknown,
            task: { type: string; source: string },
          ) {
            const name = `${task.type} ${task.source}`;
            tasks[name] = (tasks[name] ?? 0) + 1;
            return delegate.scheduleTask(target, task);
          },
        });
        const here = (what: string) => {
          within[what] = Zone.current.name;
        };
        await zone.run(
          () =>
            new Promise<void>((done) => {
              let left = 9;
              const step = (what: string) => {
                here(what);
                if (--left === 0) done();
              };
              fetch('/data')
                .then((response) => {
                  step('fetch');
                  return response.json();
                })
                .then((data) => {
                  out.push(data);
                  step('json');
                });
              const xhr = new XMLHttpRequest();
              xhr.open('GET', '/data');
              xhr.addEventListener('load', () => step('xhr load'));
              xhr.onloadend = () => step('xhr onloadend');
              xhr.send();
              const socket = new WebSocket(`ws://localhost:${location.port}/echo`);
              socket.addEventListener('open', () => socket.send('hello'));
              socket.onmessage = () => {
                step('socket onmessage');
                socket.close();
              };
              socket.addEventListener('close', () => step('socket close'));
              const source = new EventSource('/events');
              source.onmessage = () => step('source onmessage');
              source.addEventListener('named', () => {
                step('source named');
                source.close();
              });
              setTimeout(() => step('timer'), 10);
            }),
        );
        const controller = new AbortController();
        await zone.run(() => {
          const failing = fetch('/slow', { signal: controller.signal }).catch((error: Error) => {
            here('abort');
            out.push([error.name, error.message]);
          });
          setTimeout(() => controller.abort(), 20);
          return failing;
        });
        return [out, Object.entries(within).sort(), Object.entries(tasks).sort()];
      });
      note('told', told);
    },
    captured: [requested('/data'), connected('/echo')],
  });
  expect(seen.steps[0]).toContain('["fetch","app"]');
});

test('Sentry reports the same events with the same breadcrumbs', async ({ same }) => {
  let events = 0;
  await same({
    prepare(site, heard) {
      events = 0;
      api(site);
      site.routes.set('/sentry.js', bundled(`import * as Sentry from '@sentry/browser'; window.Sentry = Sentry;`));
      site.routes.set('/tunnel', (_, response, body) => {
        const lines = body.split('\n').map((line) => JSON.parse(line || '{}'));
        for (let index = 1; index + 1 < lines.length; index += 2) {
          if (lines[index].type !== 'event') continue;
          const { message, level, exception, breadcrumbs, tags, request } = lines[index + 1];
          events++;
          heard('event', {
            message,
            level,
            tags,
            url: request?.url,
            exceptions: exception?.values.map(
              (value: {
                type: string;
                value: string;
                mechanism: unknown;
                stacktrace?: { frames: Array<Record<string, unknown>> };
              }) => ({
                type: value.type,
                value: value.value,
                mechanism: value.mechanism,
                frames: value.stacktrace?.frames.map((frame) => `${frame.function} ${frame.filename}`),
              }),
            ),
            breadcrumbs: breadcrumbs?.map(({ timestamp: _, ...crumb }: { timestamp: number }) => crumb),
          });
        }
        json(response, {});
      });
      site.routes.set(
        '/',
        html(`
          <button id="press">press</button>
          <button id="request">request</button>
          <button id="timer">timer</button>
          <button id="socket">socket</button>
          <script src="/sentry.js"></script>
          <script>
            Sentry.init({
              dsn: 'http://key@localhost:${site.port}/1',
              tunnel: '/tunnel',
              release: 'one',
              tracesSampleRate: 0,
              sendClientReports: false,
              integrations: (all) => all.filter(({ name }) => name !== 'BrowserSession'),
            });
            document.getElementById('press').addEventListener('click', async () => {
              console.log('pressed', { times: 1 });
              console.warn('careful');
              await (await fetch('/data')).json();
              await (await fetch('/missing')).json();
              await new Promise((done) => {
                const xhr = new XMLHttpRequest();
                xhr.open('POST', '/echo');
                xhr.onloadend = done;
                xhr.send('body');
              });
              history.pushState({}, '', '/next');
              Sentry.captureException(new RangeError('caught'));
              Sentry.captureMessage('a message');
              throw new Error('not caught');
            });
            document.getElementById('request').onclick = async function failingRequest() {
              await fetch('http://localhost:1/nothing');
            };
            document.getElementById('timer').onclick = function failingTimer() {
              setTimeout(function callback() { throw new TypeError('in a timer'); }, 0);
            };
            document.getElementById('socket').onclick = function failingSocket() {
              new WebSocket('mailto:nobody');
            };
          </script>
        `),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      let expected = 0;
      for (const [id, more] of [
        ['press', 3],
        ['request', 1],
        ['timer', 1],
        ['socket', 1],
      ] as const) {
        await page.locator(`#${id}`).click();
        expected += more;
        await expect.poll(() => events, { intervals: [50], timeout: 60_000 }).toBe(expected);
      }
      await page.evaluate(() => (window as unknown as { Sentry: { flush(): Promise<boolean> } }).Sentry.flush());
      note('done');
    },
    tidy: (text) => text.replace(/"event_id":"\w+"/g, '"event_id":"…"'),
    captured: [logged('pressed'), requested('/missing')],
  });
});
