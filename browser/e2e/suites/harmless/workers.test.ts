// Pages with a service worker.

import { json } from '../../support/site';
import { expect, fromPackage, html, logged, requested, test } from './same';

const WORKER = `
  self.addEventListener('install', (event) => {
    event.waitUntil(caches.open('one').then((cache) => cache.addAll(['/cached.bin', '/cached.json'])).then(() => self.skipWaiting()));
  });
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('fetch', (event) => {
    const { pathname } = new URL(event.request.url);
    if (pathname.startsWith('/cached')) event.respondWith(caches.match(event.request));
    if (pathname === '/made') {
      event.respondWith((async () => new Response('made of ' + (await event.request.text()), { status: 203, headers: { 'X-Made': 'yes' } }))());
    }
    if (pathname === '/offline') event.respondWith(fetch(event.request).catch(() => new Response('you are offline', { status: 503 })));
    if (pathname === '/failing') event.respondWith(Response.error());
  });
  self.addEventListener('message', ({ data, source }) => source.postMessage({ echo: data }));
`;

test('a service worker answers in the same way from its cache, with generated responses, and offline', async ({
  same,
}) => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256));
  await same({
    prepare(site, heard) {
      site.routes.set('/', html('<h1>worker</h1>'));
      site.routes.set('/worker.js', (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(WORKER);
      });
      site.routes.set('/cached.bin', (_, response) => {
        heard('cached.bin');
        response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(bytes);
      });
      site.routes.set('/cached.json', (_, response) => {
        heard('cached.json');
        json(response, { from: 'the server, once' });
      });
      site.routes.set('/offline', (_, response) => void response.destroy());
      site.routes.set('/plain', (_, response) => json(response, { plain: true }));
    },
    async play(page, site, note) {
      await page.goto(site.url());
      await page.evaluate(async () => {
        await navigator.serviceWorker.register('/worker.js');
        if (!navigator.serviceWorker.controller) {
          await new Promise((done) =>
            navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }),
          );
        }
      });
      const told = await page.evaluate(async () => {
        const out: unknown[] = [];
        const binary = await (await fetch('/cached.bin')).arrayBuffer();
        const digest = await crypto.subtle.digest('SHA-256', binary);
        out.push([binary.byteLength, Array.from(new Uint8Array(digest), (byte) => byte.toString(16)).join('')]);
        const cached = await fetch('/cached.json');
        out.push([cached.status, cached.type, cached.redirected, await cached.json()]);
        for (const input of [
          new Request('/made', { method: 'POST', body: 'a request' }),
          new Request('/made', { method: 'PUT', body: new Blob(['a blob']) }),
        ]) {
          const made = await fetch(input);
          out.push([made.status, made.headers.get('X-Made'), await made.text(), input.bodyUsed]);
        }
        const offline = await fetch('/offline');
        out.push([offline.status, await offline.text()]);
        out.push(await (await fetch('/plain')).json());
        out.push(await fetch('/failing').catch((error: Error) => `${error.name}: ${error.message}`));
        const echo = new Promise((done) => {
          navigator.serviceWorker.addEventListener('message', ({ data }) => done(data), { once: true });
        });
        navigator.serviceWorker.controller?.postMessage('hello');
        out.push(await echo);
        return out;
      });
      note('told', told);
      // The worker also answers an XMLHttpRequest.
      note(
        'xhr',
        await page.evaluate(
          () =>
            new Promise((done) => {
              const xhr = new XMLHttpRequest();
              xhr.responseType = 'json';
              xhr.open('GET', '/cached.json');
              xhr.onload = () => done([xhr.status, xhr.response]);
              xhr.send();
            }),
        ),
      );
      await page.reload();
      note('after a reload', await page.evaluate(async () => (await fetch('/cached.json')).json()));
    },
    captured: [requested('/made'), requested('/cached.json')],
  });
});

test('msw answers instead of the network in the same way', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set('/msw.js', fromPackage('msw', 'lib/iife/index.js'));
      site.routes.set('/mockServiceWorker.js', fromPackage('msw', 'lib/mockServiceWorker.js'));
      site.routes.set('/real', (_, response) => json(response, { real: true }));
      site.routes.set('/', html('<script src="/msw.js"></script>'));
    },
    async play(page, site, note) {
      let groups = 0;
      page.on('console', (message) => {
        if (message.type() === 'endGroup') groups++;
      });
      await page.goto(site.url());
      const told = await page.evaluate(async () => {
        // biome-ignore lint/suspicious/noExplicitAny: a global of the library's script
        const { setupWorker, http, ws, HttpResponse, passthrough } = (window as any).MockServiceWorker;
        const chat = ws.link('ws://chat.test/*');
        const worker = setupWorker(
          http.get('/user', () => HttpResponse.json({ name: 'Ada' })),
          http.post('/echo', async ({ request }: { request: Request }) =>
            HttpResponse.text(`echo ${await request.text()}`),
          ),
          http.get('/missing', () => new HttpResponse(null, { status: 404 })),
          http.get('/broken', () => HttpResponse.error()),
          http.get('/real', () => passthrough()),
          chat.addEventListener('connection', ({ client }: { client: WebSocket }) => {
            client.addEventListener('message', ({ data }) => client.send(`you said ${data}`));
          }),
        );
        await worker.start({ onUnhandledRequest: 'bypass', quiet: false });
        const out: unknown[] = [];
        out.push(await (await fetch('/user')).json());
        out.push(await (await fetch('/echo', { method: 'POST', body: 'hi' })).text());
        const missing = await fetch('/missing');
        out.push([missing.status, await missing.text()]);
        out.push(await fetch('/broken').catch((error: Error) => error.name));
        out.push(await (await fetch('/real')).json());
        out.push(
          await new Promise((done) => {
            const xhr = new XMLHttpRequest();
            xhr.open('POST', '/echo');
            xhr.onload = () => done([xhr.status, xhr.responseText]);
            xhr.send('from xhr');
          }),
        );
        const socket = new WebSocket('ws://chat.test/room');
        out.push([socket instanceof WebSocket, socket.url]);
        await new Promise((done) => {
          socket.onopen = done;
        });
        const said = new Promise((done) => {
          socket.onmessage = ({ data }) => done(data);
        });
        socket.send('hello');
        out.push(await said);
        Object.assign(window, { stopMocking: () => worker.stop() });
        return out;
      });
      note('told', told);
      // Its lines come from the worker, a little later: one about mocking, five responses, and three of the socket.
      await expect.poll(() => groups).toBe(9);
      await page.evaluate(() => (window as unknown as { stopMocking(): void }).stopMocking());
    },
    racy: /./,
    // The line of a mocked response begins with the time of day.
    tidy: (text) => text.replace(/\d\d:\d\d:\d\d(\.\d+)?/g, '<time>').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>'),
    captured: [requested('/user'), requested('/echo')],
  });
});

test('requests fail in the same way offline', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set('/', html('<script>console.log("before the cut")</script>'));
      site.routes.set('/x', (_, response) => json(response, {}));
    },
    async play(page, site, note) {
      await page.goto(site.url());
      await page.context().setOffline(true);
      try {
        const told = await page.evaluate(async () => [
          navigator.onLine,
          await fetch('/x').catch((error: Error) => `${error.name}: ${error.message}`),
          await new Promise((done) => {
            const xhr = new XMLHttpRequest();
            xhr.open('GET', '/x');
            xhr.onerror = ({ type }) => done([type, xhr.status, xhr.readyState]);
            xhr.send();
          }),
        ]);
        note('offline', told);
      } finally {
        await page.context().setOffline(false);
      }
      note('online', await page.evaluate(async () => (await fetch('/x')).json()));
    },
    captured: logged('before the cut'),
  });
});
