// Clients that use sockets.

import type { Server as HttpServer } from 'node:http';
import { buildSchema } from 'graphql';
import { useServer as serve } from 'graphql-ws/use/ws';
import { Server } from 'socket.io';
import { WebSocketServer } from 'ws';
import { bundled, connected, expect, fromPackage, html, requested, test } from './same';

test('socket.io upgrades from polling to a socket in the same way, with answers and binary data', async ({ same }) => {
  let io: Server;
  let port = 0;
  const seen = await same({
    async prepare(site, heard) {
      io = new Server({ cors: { origin: '*' }, pingInterval: 60_000 });
      io.listen(0);
      port = (io.httpServer.address() as { port: number }).port;
      io.on('connection', (socket) => {
        socket.on('ask', (question: string, answer: (text: string) => void) => {
          heard('ask', question);
          answer(`you asked ${question}`);
        });
        socket.on('bytes', (bytes: Buffer, answer: (back: Buffer) => void) => {
          heard('bytes', [...bytes]);
          answer(Buffer.from(bytes.toReversed()));
        });
        socket.on('stream', () => {
          for (let n = 0; n < 30; n++) socket.emit('tick', n, Buffer.from([n]));
        });
        socket.on('disconnect', (reason) => heard('disconnect', reason));
      });
      site.routes.set('/client.js', fromPackage('socket.io-client', 'dist/socket.io.min.js'));
      site.routes.set('/', html('<pre id="out"></pre><script src="/client.js"></script>'));
      return async () => {
        (io.httpServer as HttpServer).closeAllConnections();
        await io.close();
      };
    },
    async play(page, site, note) {
      await page.goto(site.url());
      const told = await page.evaluate(async (address) => {
        // biome-ignore lint/suspicious/noExplicitAny: a global of the client's script
        const socket = (window as any).io(address);
        const out: unknown[] = [];
        await new Promise<void>((done) => {
          socket.io.on('open', () => {
            out.push(['first', socket.io.engine.transport.name]);
            socket.io.engine.once('upgrade', (transport: { name: string }) =>
              done(void out.push(['then', transport.name])),
            );
          });
        });
        out.push(await socket.emitWithAck('ask', 'why'));
        const back = await socket.emitWithAck('bytes', new Uint8Array([1, 2, 3]));
        out.push([back.constructor.name, ...new Uint8Array(back)]);
        const ticks: unknown[] = [];
        await new Promise<void>((done) => {
          socket.on('tick', (n: number, bytes: ArrayBuffer) => {
            ticks.push([n, ...new Uint8Array(bytes)]);
            if (ticks.length === 30) done();
          });
          socket.emit('stream');
        });
        out.push(ticks);
        const gone = new Promise((done) => socket.on('disconnect', done));
        socket.disconnect();
        out.push(await gone);
        return out;
      }, `http://localhost:${port}`);
      note('told', told);
      await expect.poll(() => io.engine.clientsCount).toBe(0);
    },
    tidy: (text) =>
      text
        .replaceAll(`:${port}`, ':<io>')
        .replace(/([?&](?:t|sid))=[\w-]+/g, '$1=…')
        .replace(/"sid":"[\w-]+"/g, '"sid":"…"'),
    // How many polls precede the upgrade depends on timing.
    ignore: /transport=polling&t=…&sid=…/,
    frames: true,
    captured: [connected('/socket.io/'), requested('transport=polling')],
  });
  expect(seen.steps[0]).toContain('["first","polling"],["then","websocket"]');
});

test('graphql-ws handles queries, a subscription, and a failing one in the same way', async ({ same }) => {
  const schema = buildSchema('type Query { hello(name: String!): String } type Subscription { count(to: Int!): Int }');
  await same({
    async prepare(site, heard) {
      const server = new WebSocketServer({ noServer: true });
      const roots = {
        query: { hello: ({ name }: { name: string }) => `hello ${name}` },
        subscription: {
          async *count({ to }: { to: number }) {
            heard('count', to);
            for (let n = 1; n <= to; n++) {
              if (n > 5) throw new Error('that is too far');
              yield { count: n };
            }
          },
        },
      };
      const served = serve(
        {
          schema,
          roots,
          onComplete: () => heard('complete'),
          onDisconnect: (_, code, reason) => heard('disconnect', [code, reason]),
        },
        server,
      );
      site.sockets.set('/graphql', (socket) => void server.emit('connection', socket, { headers: {} }));
      site.routes.set(
        '/client.js',
        bundled(`import { createClient } from 'graphql-ws'; window.createClient = createClient;`),
      );
      site.routes.set('/', html('<script src="/client.js"></script>'));
      return async () => {
        await served.dispose();
      };
    },
    async play(page, site, note) {
      await page.goto(site.url());
      const told = await page.evaluate(async (url) => {
        const out: unknown[] = [];
        let asked = 0;
        // biome-ignore lint/suspicious/noExplicitAny: a global of the client's script
        const client = (window as any).createClient({
          url,
          lazy: true,
          generateID: () => `id ${++asked}`,
          lazyCloseTimeout: 0,
          on: {
            connected: (socket: WebSocket) => out.push(['connected', socket.protocol, socket instanceof WebSocket]),
            closed: (event: CloseEvent) => out.push(['closed', event.code, event.reason, event.wasClean]),
          },
        });
        const ask = (query: string) =>
          new Promise<void>((done) => {
            client.subscribe(
              { query },
              {
                next: (value: unknown) => out.push(['next', value]),
                error: (error: unknown) => done(void out.push(['error', error])),
                complete: () => done(void out.push(['complete'])),
              },
            );
          });
        await ask('{ hello(name: "Ada") }');
        await ask('subscription { count(to: 4) }');
        await ask('subscription { count(to: 9) }');
        await ask('{ nothing }');
        await client.dispose();
        const told = (what: string) => out.filter((line) => (line as unknown[])[0] === what).length;
        for (let round = 0; round < 500 && told('closed') < told('connected'); round++) {
          await new Promise((done) => setTimeout(done, 10));
        }
        return out;
      }, `ws://localhost:${site.port}/graphql`);
      note('told', told);
    },
    frames: true,
    captured: connected('/graphql'),
  });
});
