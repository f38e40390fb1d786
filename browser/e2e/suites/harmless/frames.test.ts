// Pages with frames.

import { blockedScript, expect, html, logged, test } from './same';

const COUNTING = `
  window.messages = [];
  addEventListener('message', ({ data, origin, ports }) => messages.push([data, origin, ports.length]));
`;

test('a frame of another origin and its messages behave the same', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set(
        '/',
        html(`
          <script>${COUNTING}</script>
          <iframe src="http://127.0.0.1:${site.port}/inner" name="inner"></iframe>
          <script>
            console.log('outer began');
            async function ask(text) {
              const { port1, port2 } = new MessageChannel();
              const answer = new Promise((done) => { port1.onmessage = ({ data }) => done(data); });
              frames.inner.postMessage({ ask: text }, '*', [port2]);
              return answer;
            }
          </script>
        `),
      );
      site.routes.set(
        '/inner',
        html(`
          <script>
            ${COUNTING}
            console.log('inner began');
            addEventListener('message', async ({ data, source, origin, ports }) => {
              if (!data.ask) return;
              source.postMessage({ heard: data.ask }, origin);
              const body = await (await fetch('/data?' + data.ask)).text();
              ports[0].postMessage('answer ' + data.ask + ' ' + body);
            });
            parent.postMessage('inner is there', '*');
          </script>
        `),
      );
      site.routes.set('/data', (request, response) => void response.end(`data of ${request.url}`));
    },
    async play(page, site, note) {
      await page.goto(site.url());
      const ask = (text: string) =>
        page.evaluate((text) => (window as unknown as { ask(text: string): Promise<string> }).ask(text), text);
      note('one', await ask('one'));
      note('two', await ask('two'));
      const inner = page.frame('inner');
      await inner?.evaluate(() => {
        console.warn('inner warns');
        void Promise.reject(new Error('inner fails'));
      });
      await expect
        .poll(() => page.evaluate(() => (window as unknown as { messages: unknown[] }).messages.length))
        .toBe(3);
      await page.waitForTimeout(200);
      note('outer heard', await page.evaluate(() => (window as unknown as { messages: unknown }).messages));
      note('inner heard', await inner?.evaluate(() => (window as unknown as { messages: unknown }).messages));
      // What the outer page can read about a frame of another origin.
      note(
        'across',
        await page.evaluate(() => {
          const other = frames['inner' as never] as unknown as Record<string, unknown>;
          const attempt = (name: string) => {
            try {
              return String(other[name]);
            } catch (error) {
              return (error as Error).name;
            }
          };
          return [attempt('fetch'), attempt('length'), attempt('__gasoline')];
        }),
      );
    },
    captured: [logged('outer began'), logged('inner warns')],
  });
});

test('frames without an address behave the same, whether sandboxed, srcdoc, about:blank or blob', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set(
        '/',
        html(`
          <script>${COUNTING} console.log('outer began');</script>
          <iframe name="sandboxed" sandbox="allow-scripts" srcdoc="<script>console.log('sandboxed', origin); parent.postMessage('sandboxed', '*')</script>"></iframe>
          <iframe name="srcdoc" srcdoc="<p>srcdoc</p><script>console.log('srcdoc', origin); parent.postMessage('srcdoc', '*')</script>"></iframe>
          <iframe name="blank"></iframe>
          <script>
            const inner = frames.blank;
            inner.kept = { by: 'the outer page' };
            inner.document.open();
            inner.document.write('<p>written</p><script>console.log("written", !!window.kept); parent.postMessage("written", "*")<\\/script>');
            inner.document.close();
            const blob = document.createElement('iframe');
            blob.name = 'blob';
            blob.src = URL.createObjectURL(new Blob(['<script>console.log("blob"); parent.postMessage("blob", "*")<\\/script>'], { type: 'text/html' }));
            document.body.append(blob);
            const script = document.createElement('iframe');
            script.src = 'javascript:"<p>made by a script</p>"';
            script.name = 'script';
            document.body.append(script);
          </script>
        `),
      );
    },
    async play(page, site, note) {
      await page.goto(site.url());
      await expect
        .poll(() => page.evaluate(() => (window as unknown as { messages: unknown[] }).messages.length))
        .toBe(4);
      await page.waitForTimeout(200);
      note(
        'heard',
        (await page.evaluate(() => (window as unknown as { messages: unknown[] }).messages.map(String))).sort(),
      );
      for (const name of ['sandboxed', 'srcdoc', 'blank', 'blob', 'script']) {
        note(name, await page.frame(name)?.evaluate(() => [document.body.innerText, origin, document.readyState]));
      }
      note('kept', await page.evaluate(() => (frames['blank' as never] as unknown as { kept: unknown }).kept));
    },
    tidy: (text) => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>'),
    racy: /./,
    // The frames' first lines came before our script.
    captured: logged('outer began'),
  });
});

test('a frame in a sandbox without scripts behaves the same except for one console line', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set('/', html('<script>console.log("outer began")</script><iframe sandbox src="/quiet"></iframe>'));
      site.routes.set('/quiet', html('<p>quiet</p>'));
    },
    async play(page, site, note) {
      await page.goto(site.url());
      note('shown', await page.frameLocator('iframe').locator('p').innerText());
    },
    captured: logged('outer began'),
    limit: (without) => ({
      ...without,
      console: [...without.console, blockedScript('http://localhost:<site>/quiet')],
    }),
  });
});

test('frames that come and go, and functions taken from them, behave the same', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set('/', html('<script>console.log("outer began")</script>'));
      site.routes.set('/data', (_, response) => void response.end('data'));
      site.routes.set('/slow', (_, response) => void setTimeout(() => response.end('slow'), 300));
    },
    async play(page, site, note) {
      await page.goto(site.url());
      const told = await page.evaluate(async () => {
        const out: unknown[] = [];
        const settle = (promise: Promise<unknown>) =>
          Promise.race([
            promise.then(
              (value) => ['fulfilled', String(value)],
              (error) => ['rejected', error.name, error.message],
            ),
            new Promise((done) => setTimeout(() => done('pending'), 2_000)),
          ]);
        const frame = document.createElement('iframe');
        document.body.append(frame);
        const inner = frame.contentWindow as Window & typeof globalThis;
        // Right after the frame was created, as libraries do that want unwrapped functions.
        out.push(await (await inner.fetch('/data')).text());
        const response = await inner.fetch('/data');
        out.push([response instanceof inner.Response, await response.text()]);
        inner.console.log('by the console of a frame');
        const { fetch, WebSocket: Socket, XMLHttpRequest: Xhr } = inner;
        out.push(await settle(fetch('/data').then((response) => response.text())));
        const running = inner.fetch('/slow').then((response) => response.text());
        running.catch(() => {});
        frame.remove();
        out.push(await settle(running));
        const attempt = async (work: () => unknown) => {
          try {
            return await settle(Promise.resolve(work()));
          } catch (error) {
            return ['thrown', (error as Error).name, (error as Error).message];
          }
        };
        out.push(await attempt(() => fetch('/data')));
        out.push(await attempt(() => inner.console.log('after the end')));
        out.push(await attempt(() => new Socket('ws://localhost:1/').readyState));
        out.push(await attempt(() => new Xhr().open('GET', '/data')));
        out.push(await attempt(() => window.fetch.call(inner, '/data')));
        return out;
      });
      note('told', told);
    },
    captured: logged('outer began'),
  });
});
