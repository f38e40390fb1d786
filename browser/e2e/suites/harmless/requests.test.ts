// `fetch`, its streams and its failures.

import { json } from '../../support/site';
import { expect, html, logged, requested, test } from './same';

const BEGAN = html('<script>console.log("the page began")</script>');

test('a body that is read piece by piece arrives the same', async ({ same }) => {
  let goOn = () => {};
  await same({
    prepare(site) {
      site.routes.set('/', BEGAN);
      for (const [path, type] of [
        ['/text', 'text/plain'],
        ['/lines', 'application/x-ndjson'],
        ['/events', 'text/event-stream'],
        ['/bytes', 'application/octet-stream'],
      ] as const) {
        site.routes.set(path, async (request, response) => {
          response.writeHead(200, { 'Content-Type': type });
          const hold = request.url?.endsWith('?held') ? new Promise<void>((done) => (goOn = done)) : undefined;
          for (let n = 0; n < 4; n++) {
            response.write(`data: {"n":${n}}\n\n`);
            await (n === 0 && hold ? hold : new Promise((done) => setTimeout(done, 30)));
          }
          response.end();
        });
      }
      // The page has its first piece.
      site.routes.set('/go-on', (_, response) => {
        goOn();
        response.writeHead(204).end();
      });
      site.routes.set('/large', (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/plain' }).end('0123456789'.repeat(200_000));
      });
      site.routes.set('/broken', (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': '1000' });
        response.write('the beginning');
        setTimeout(() => response.destroy(), 50);
      });
    },
    async play(page, site, note) {
      await page.goto(site.url());
      for (const path of ['/text', '/lines', '/events', '/bytes']) {
        note(
          path,
          await page.evaluate(async (path) => {
            const response = await fetch(`${path}?held`);
            const before = [response.bodyUsed, response.body?.locked];
            const pieces: string[] = [];
            const body = response.body as ReadableStream<Uint8Array>;
            for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
              if (pieces.push(new TextDecoder().decode(piece)) === 1) await fetch('/go-on');
            }
            // Where the network splits the body may differ; that there are several pieces may not.
            return [before, pieces.join(''), pieces.length > 1, response.bodyUsed, response.body === body];
          }, path),
        );
      }
      const told = await page.evaluate(async () => {
        const out: unknown[] = [];
        const failure = (error: Error) => `${error.name}: ${error.message}`;
        const byob = (await fetch('/text')).body?.getReader({ mode: 'byob' });
        const first = await byob?.read(new Uint8Array(8));
        out.push(['byob', first?.value?.length, first?.done]);
        while (!(await byob?.read(new Uint8Array(100)))?.done);
        const clone = await fetch('/text');
        const [one, two] = await Promise.all([clone.clone().text(), clone.text()]);
        out.push(['clone', one === two, one.length]);
        const [left, right] = ((await fetch('/lines')).body as ReadableStream).tee();
        out.push(['tee', (await new Response(left).text()) === (await new Response(right).text())]);
        const piped = (await fetch('/text')).body?.pipeThrough(new TextDecoderStream());
        out.push(['pipe', await new Response(piped?.pipeThrough(new TextEncoderStream())).text()]);
        const large = await (await fetch('/large')).text();
        out.push(['large', large.length, large.endsWith('6789')]);
        out.push(['broken', await (await fetch('/broken')).text().catch(failure)]);
        const used = await fetch('/text');
        await used.text();
        out.push(['twice', await used.text().catch(failure)]);
        out.push(['blob', await (await fetch('/text')).blob().then(({ size, type }) => [size, type])]);
        out.push(['json', await (await fetch('/text')).json().catch(failure)]);
        const nothing = await fetch('/', { method: 'HEAD' });
        out.push(['head', nothing.body, await nothing.text()]);
        return out;
      });
      note('told', told);
    },
    captured: [
      requested('/lines'),
      // Bodies are on, here and in all scenarios.
      ['get_network_bodies', { url: '/text' }, ({ bodies }) => bodies?.[0]?.responseBody?.includes('data: ')],
    ],
  });
});

test('a body that the page cancels is cancelled on the server', async ({ same }) => {
  let ended: string[] = [];
  const seen = await same({
    prepare(site) {
      ended = [];
      site.routes.set('/', BEGAN);
      for (const [path, type] of [
        ['/text', 'text/plain'],
        ['/events', 'text/event-stream'],
      ] as const) {
        site.routes.set(path, (request, response) => {
          const how = new URL(request.url ?? '', 'http://x').search;
          response.writeHead(200, { 'Content-Type': type });
          const timer = setInterval(() => response.write('data: more\n\n'), 30);
          response.on('close', () => {
            clearInterval(timer);
            ended.push(`${path}${how}`);
          });
        });
      }
    },
    async play(page, site, note) {
      await page.goto(site.url());
      note(
        'told',
        await page.evaluate(async () => {
          const out: unknown[] = [];
          for (const path of ['/text', '/events']) {
            const reader = (await fetch(`${path}?reader`)).body?.getReader();
            await reader?.read();
            out.push(await reader?.cancel('enough'));
            await (await fetch(`${path}?body`)).body?.cancel();
            const body = (await fetch(`${path}?loop`)).body as unknown as AsyncIterable<Uint8Array>;
            for await (const _ of body) break;
            const controller = new AbortController();
            const aborted = await fetch(`${path}?abort`, { signal: controller.signal });
            const reading = aborted.text().catch((error: Error) => error.name);
            controller.abort();
            out.push(await reading);
          }
          return out;
        }),
      );
      // A busy machine takes a while until the server notices, and the browser reports the last one after that.
      await expect.poll(() => ended.length).toBe(8);
      await page.waitForTimeout(700);
      note('the server was told', ended.toSorted());
    },
    captured: logged('the page began'),
  });
  expect(seen.steps[1]?.match(/[?]/g)).toHaveLength(8);
});

test('requests that are aborted, time out or fail behave the same', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set('/', BEGAN);
      site.routes.set('/slow', (_, response) => {
        const timer = setTimeout(() => response.end(), 5_000);
        response.on('close', () => clearTimeout(timer));
      });
      site.routes.set('/data', (_, response) => json(response, {}));
    },
    async play(page, site, note) {
      await page.goto(site.url());
      const told = await page.evaluate(async () => {
        const out: unknown[] = [];
        const failure = (error: Error) => [error?.name ?? typeof error, error?.message ?? error];
        const reason = { my: 'own reason' };
        const early = await fetch('/data', { signal: AbortSignal.abort(reason) }).catch((error) => error === reason);
        out.push(['early', early]);
        const controller = new AbortController();
        setTimeout(() => controller.abort(reason), 30);
        out.push(['late', await fetch('/slow', { signal: controller.signal }).catch((error) => error === reason)]);
        out.push(['timeout', await fetch('/slow', { signal: AbortSignal.timeout(30) }).catch(failure)]);
        const request = new Request('/slow', { method: 'POST', body: 'text', signal: AbortSignal.timeout(30) });
        out.push(['request', await fetch(request).catch(failure), request.bodyUsed]);
        out.push(['nobody', await fetch('http://localhost:1/').catch(failure)]);
        out.push(['address', await fetch('http://[').catch(failure)]);
        out.push(['method', await fetch('/data', { method: 'CONNECT' }).catch(failure)]);
        out.push(['body', await fetch('/data', { body: 'x' }).catch(failure)]);
        out.push(['header', await fetch('/data', { headers: { 'bad name': 'x' } }).catch(failure)]);
        out.push(['nothing', await (fetch as () => Promise<unknown>)().catch(failure)]);
        out.push(['self', await fetch.call({} as Window, '/data').catch(failure)]);
        const bare = fetch;
        out.push(['bare', (await bare('/data')).status]);
        out.push([
          'no-cors',
          await fetch(`http://127.0.0.1:${location.port}/data`, { mode: 'no-cors' }).then(({ type, status }) => [
            type,
            status,
          ]),
        ]);
        out.push(['cors', await fetch(`http://127.0.0.1:${location.port}/data`).catch(failure)]);
        const sent = new Request('/data', { method: 'POST', body: 'text' });
        await fetch(sent);
        out.push(['used', sent.bodyUsed, await fetch(sent).catch(failure)]);
        out.push([fetch('/data') instanceof Promise, Object.prototype.toString.call(fetch('/data'))]);
        return out;
      });
      note('told', told);
    },
    captured: requested('/data'),
  });
});

test('an unhandled rejection is reported once, with its own reason', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set(
        '/',
        html(`<script>
          console.log('the page began');
          window.told = [];
          let forgive = false;
          addEventListener('unhandledrejection', (event) => {
            told.push(['unhandled', event.reason === reason || event.reason.name, event.promise === kept]);
            if (forgive) setTimeout(() => event.promise.catch(() => {}));
          });
          addEventListener('rejectionhandled', () => told.push(['handled']));
          addEventListener('error', () => told.push(['error']));
          const reason = { my: 'own reason' };
          let kept = fetch('/', { signal: AbortSignal.abort(reason) });
          async function next() {
            kept = fetch('http://localhost:1/');
          }
          function handled() {
            fetch('http://localhost:1/').catch(() => told.push(['caught']));
          }
          async function late() {
            forgive = true;
            kept = fetch('http://localhost:1/');
          }
        </script>`),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      const told = () => page.evaluate(() => (window as unknown as { told: unknown[] }).told);
      await expect.poll(async () => (await told()).length).toBe(1);
      for (const [name, lines] of [
        ['next', 2],
        ['handled', 3],
        ['late', 5],
      ] as const) {
        await page.evaluate((name) => {
          // From a timer of the page, so that no code of the test is in the stack.
          setTimeout((window as unknown as Record<string, () => void>)[name] as () => void, 0);
        }, name);
        await expect.poll(async () => (await told()).length).toBe(lines);
      }
      // Nothing is reported twice.
      await page.waitForTimeout(200);
      note('told', await told());
    },
    captured: logged('the page began'),
  });
});

test('the arguments of fetch are read once', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set('/', BEGAN);
      site.routes.set('/echo', (request, response, body) =>
        json(response, [request.method, request.headers['x-a'], body]),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      const told = await page.evaluate(async () => {
        const reads: string[] = [];
        const watched = (object: object) =>
          new Proxy(object, {
            get(target, name) {
              reads.push(String(name));
              return Reflect.get(target, name);
            },
          });
        const input = {
          toString() {
            reads.push('address');
            return '/echo';
          },
        };
        const init = watched({ method: 'POST', body: 'text', headers: { 'x-a': 'one' } }) as RequestInit;
        const answer = await (await fetch(input as unknown as string, init)).json();
        const counts: Record<string, number> = {};
        for (const name of reads) counts[name] = (counts[name] ?? 0) + 1;
        function* pairs(): Generator<[string, string]> {
          yield ['x-a', 'of a generator'];
        }
        const generated = await (await fetch('/echo', { headers: pairs() as unknown as HeadersInit })).json();
        return [answer, generated, [counts.address, counts.method, counts.body, counts.headers]];
      });
      note('told', told);
    },
    captured: requested('/echo'),
  });
});

test('every kind of body arrives unchanged', async ({ same }) => {
  await same({
    prepare(site, heard) {
      site.routes.set('/', BEGAN);
      site.routes.set('/echo', (request, response, body) => {
        const boundary = /boundary=(\S+)/.exec(request.headers['content-type'] ?? '')?.[1] ?? '-none-';
        heard('got', [
          request.method,
          (request.headers['content-type'] ?? '').split(';')[0],
          request.headers['content-length'] !== undefined,
          body.replaceAll(boundary, '…'),
        ]);
        json(response, body.length);
      });
    },
    async play(page, site, note) {
      await page.goto(site.url());
      const told = await page.evaluate(async () => {
        const form = new FormData();
        form.append('name', 'Ada');
        form.append('file', new File(['text'], 'name.txt', { type: 'text/plain' }));
        const bodies: Record<string, BodyInit | (() => BodyInit)> = {
          text: 'text',
          form,
          params: new URLSearchParams({ a: '1', b: 'ü' }),
          blob: new Blob(['{"a":1}'], { type: 'application/json' }),
          buffer: new TextEncoder().encode('buffer').buffer as ArrayBuffer,
          view: new TextEncoder().encode('view'),
          object: { toString: () => 'object' } as unknown as string,
        };
        const out: unknown[] = [];
        for (const [name, body] of Object.entries(bodies)) {
          const init = { method: 'POST', body: body as BodyInit };
          out.push([
            name,
            await (await fetch('/echo', init)).json(),
            await (await fetch(new Request('/echo', init))).json(),
          ]);
          out.push([name, await (await fetch(new Request('/echo', init), { method: 'PUT' })).json()]);
          const status = await new Promise((done) => {
            const xhr = new XMLHttpRequest();
            xhr.open('PATCH', '/echo');
            xhr.onloadend = () => done([xhr.status, xhr.responseText]);
            xhr.send(body as XMLHttpRequestBodyInit);
          });
          out.push([name, status]);
        }
        return out;
      });
      note('told', told);
    },
    captured: requested('/echo'),
  });
});

test('a stream that is sent as a body is read no further than the browser reads it', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set('/', BEGAN);
      site.routes.set('/echo', (_, response) => json(response, {}));
    },
    async play(page, site, note) {
      await page.goto(site.url());
      const told = await page.evaluate(async () => {
        const out: unknown[] = [];
        for (const given of ['a request', 'options']) {
          let pulls = 0;
          let cancelled = false;
          const stream = new ReadableStream({
            async pull(controller) {
              // Endless, except for a limit in this test.
              if (++pulls > 1_000) return controller.close();
              controller.enqueue(new Uint8Array(10));
            },
            cancel() {
              cancelled = true;
            },
          });
          const options = { method: 'POST', body: stream, duplex: 'half' } as RequestInit;
          // Only HTTP/2 accepts a stream. The failure has to be the same, and the stream has to be cancelled.
          const asked = given === 'options' ? fetch('/echo', options) : fetch(new Request('/echo', options));
          out.push([given, await asked.catch((error: Error) => `${error.name}: ${error.message}`)]);
          await new Promise((done) => setTimeout(done, 800));
          out.push([pulls > 500 ? 'read to its end' : 'read in part', cancelled, stream.locked]);
        }
        return out;
      });
      note('told', told);
    },
    captured: logged('the page began'),
  });
});

test('the events and responses of XMLHttpRequest come in the same order', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set('/', BEGAN);
      site.routes.set('/json', (_, response) => json(response, { a: [1, 2] }, 200, { 'X-One': '1' }));
      site.routes.set('/xml', (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/xml' }).end('<a><b/></a>');
      });
      site.routes.set('/missing', (_, response) => json(response, {}, 404));
      site.routes.set('/slow', (_, response) => {
        const timer = setTimeout(() => response.end(), 5_000);
        response.on('close', () => clearTimeout(timer));
      });
    },
    async play(page, site, note) {
      await page.goto(site.url());
      const told = await page.evaluate(async () => {
        const run = (address: string, set: (xhr: XMLHttpRequest) => void = () => {}) =>
          new Promise((done) => {
            const events: string[] = [];
            const xhr = new XMLHttpRequest();
            for (const type of ['readystatechange', 'loadstart', 'load', 'error', 'abort', 'timeout']) {
              xhr.addEventListener(type, () => events.push(`${type} ${xhr.readyState}`));
            }
            xhr.onloadend = () => {
              events.push('loadend');
              const { response, responseType, status, statusText, responseURL } = xhr;
              const shown = responseType === 'json' ? response : Object.prototype.toString.call(response);
              setTimeout(() =>
                done([
                  events,
                  shown,
                  xhr.response === response,
                  status,
                  statusText,
                  responseURL,
                  xhr.getResponseHeader('X-One'),
                ]),
              );
            };
            xhr.open('GET', address);
            set(xhr);
            xhr.send();
          });
        const out: unknown[] = [];
        for (const type of ['', 'text', 'json', 'blob', 'arraybuffer'] as const) {
          out.push(
            await run('/json', (xhr) => {
              xhr.responseType = type;
            }),
          );
        }
        out.push(
          await run('/xml', (xhr) => {
            xhr.responseType = 'document';
          }),
        );
        out.push(await run('/missing'));
        out.push(
          await run('/slow', (xhr) => {
            xhr.timeout = 40;
          }),
        );
        out.push(await run('/slow', (xhr) => setTimeout(() => xhr.abort(), 40)));
        out.push(await run('http://localhost:1/'));
        const again = new XMLHttpRequest();
        for (const address of ['/json', '/missing']) {
          again.open('GET', address, false);
          again.send();
          out.push([again.status, again.responseText]);
        }
        return out;
      });
      note('told', told);
    },
    captured: requested('/json'),
  });
});

// The ways in which a page reads JSON, and whether it handles text that is not JSON.
const UNHANDLED = {
  a: () => fetch('/a').then((response) => response.json()),
  b: () => fetch('/b').then((response) => void response.json()),
  c: () =>
    fetch('/c')
      .then((response) => response.json())
      .then((value) => value.rows),
  d: async () => {
    const response = await fetch('/d');
    const { rows } = await response.json();
    return rows;
  },
  e: () => fetch('/e').then((response) => Promise.all([response.json()])),
  f: async () => {
    try {
      await (await fetch('/f')).json();
    } finally {
      console.log('f is over');
    }
  },
  g: () => new Promise((done, failed) => fetch('/g').then((response) => response.json().then(done, failed))),
  h: () => fetch('/h').then((response) => response.clone().json()),
  i: () => new Response('<i> is none').json(),
};
const HANDLED = {
  k: () => fetch('/k').then((response) => response.json().catch(() => 'caught')),
  l: async () => {
    try {
      await (await fetch('/l')).json();
    } catch (error) {
      const { name, message, stack } = error as Error;
      console.log('caught', name, message, stack, error instanceof SyntaxError, Object.keys(error as object).length);
    }
  },
  m: () =>
    fetch('/m')
      .then((response) => response.json())
      .then(
        () => {},
        () => {},
      ),
  n: () => fetch('/n').then((response) => Promise.all([response.json()]).catch(() => {})),
  o: () => fetch('/o').then((response) => Promise.allSettled([response.json()])),
  p: async () => {
    // Later than the browser can wait. On a busy machine it is so late that it counts as unhandled, for the browser and
    // for us.
    const read = (await fetch('/p')).json();
    const began = performance.now();
    await (await fetch('/fine')).text();
    await read.catch(() => {});
    Object.assign(window, { lateBy: performance.now() - began });
  },
  q: () =>
    fetch('/q')
      .then((response) => response.json())
      .then(() => {})
      .finally(() => {})
      .catch(() => {}),
  r: async () => {
    for await (const _ of [(await fetch('/r')).json().catch(() => {})]);
  },
};

test('invalid JSON is reported where nothing handles it, and only there', async ({ same, agent }) => {
  const unread = async () => {
    const { errors } = await agent.call('get_browser_errors', { limit: 100 });
    const messages: string[] = errors.map(({ message }: { message: string }) => message);
    return messages.flatMap((message) => /"<(\w)>.*is not valid JSON/.exec(message)?.[1] ?? []).sort();
  };
  let lateBy = 0;
  await same({
    unsteady: /"<p> is none"/,
    prepare(site) {
      site.routes.set(
        '/',
        html(`<script>
          console.log('the page began');
          window.heard = [];
          const hear = (how) => (event) => heard.push(how + ' ' + event.type + ' ' + event.reason);
          for (const type of ['unhandledrejection', 'rejectionhandled', 'error']) {
            addEventListener(type, hear('late'));
            addEventListener(type, hear('early'), true);
            window['on' + type] = hear('on');
          }
        </script>`),
      );
      site.routes.set('/fine', (_, response) => json(response, { fine: true }));
      for (const name of [...Object.keys(UNHANDLED), ...Object.keys(HANDLED)]) {
        site.routes.set(`/${name}`, (_, response) => {
          response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<${name}> is none`);
        });
      }
    },
    async play(page, site, note) {
      await page.goto(site.url());
      let failed = 0;
      page.on('pageerror', ({ message }) => {
        if (!message.includes('<p>')) failed++;
      });
      // The unhandled ones come last: when they have been reported, the others would have been, too.
      for (const [name, work] of Object.entries({ ...HANDLED, ...UNHANDLED })) {
        // As the page's own script; code that the debugger evaluates has no script.
        await page.addScriptTag({ content: `void (${work.toString()})();` });
        if (!['b', 'i'].includes(name))
          await page.waitForResponse((response) => response.url().endsWith(`/${name}`)).catch(() => {});
        // One after the other, because the order of the reports is compared.
        const before = Object.keys(UNHANDLED).indexOf(name);
        if (before >= 0) await expect.poll(() => failed).toBe(before + 1);
      }
      note('fine', await page.evaluate(async () => (await fetch('/fine')).json()));
      // Plain rejections are reported as usual, and so is the one whose body was there at once.
      await page.addScriptTag({ content: 'Promise.reject(new Error("a plain one"));' });
      await expect.poll(() => page.evaluate(() => (window as unknown as { heard: string[] }).heard.length)).toBe(6);
      await page.evaluate(() => console.error('the end'));
      note('heard', await page.evaluate(() => (window as unknown as { heard: string[] }).heard));
      lateBy = await page.evaluate(() => (window as unknown as { lateBy: number }).lateBy);
    },
    captured: [
      logged('the end'),
      ['get_browser_errors', {}, ({ total }) => total >= Object.keys(UNHANDLED).length + 2],
    ],
    // The debugger shows the position of an error, and the browser's own error has none.
    limit: (without) => ({
      ...without,
      errors: without.errors.map((line) => line.replace('Uncaught (in promise) SyntaxError', 'SyntaxError')),
    }),
  });
  // A rejection that is handled within a quarter of a second counts as handled.
  const reported = (await unread()).filter((name) => name !== 'p' || lateBy < 200);
  expect(reported).toEqual(Object.keys(UNHANDLED));
});
