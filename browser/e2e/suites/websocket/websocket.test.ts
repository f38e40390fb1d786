import type { Answer } from '../../support/agent';
import { expect, test } from '../../support/test';

const messages = (answer: Answer) => answer.events.filter((event: Answer) => event.event === 'message');

test('the whole life cycle of a socket is captured', async ({ page, site, agent, eventually }) => {
  site.sockets.set('/chat', (socket) => {
    socket.on('message', (data) => {
      socket.send(`{"type":"echo","text":${data}}`);
      if (String(data) === '"bye"') socket.close(4001, 'as you wish');
    });
  });
  await page.goto(site.url());
  await page.evaluate(async () => {
    const socket = new WebSocket(`ws://${location.host}/chat`);
    Object.assign(window, { socket });
    await new Promise((done) => socket.addEventListener('open', done));
    socket.send('"hello"');
  });
  const address = site.url('/chat').replace('http', 'ws');
  const open = await eventually(
    'get_websocket_status',
    {},
    ({ connections }) => connections[0]?.messageRate?.incoming?.total === 1,
  );
  expect(open.connections[0]).toMatchObject({
    url: address,
    state: 'open',
    messageRate: { incoming: { total: 1, bytes: 30 }, outgoing: { total: 1, bytes: 7 } },
    lastMessage: { incoming: { preview: '{"type":"echo","text":"hello"}' }, outgoing: { preview: '"hello"' } },
    sampling: { active: false },
  });
  await page.evaluate(() => (window as unknown as { socket: WebSocket }).socket.send('"bye"'));
  const { closed } = await eventually('get_websocket_status', {}, (answer) => answer.closed.length === 1);
  expect(closed[0]).toMatchObject({
    url: address,
    state: 'closed',
    closeCode: 4001,
    closeReason: 'as you wish',
    totalMessages: { incoming: 2, outgoing: 2 },
  });
  const { events } = await agent.call('get_websocket_events', { connection_id: closed[0].id });
  expect(events.map((event: Answer) => event.event).reverse()).toEqual([
    'connecting',
    'open',
    'message',
    'message',
    'message',
    'message',
    'close',
  ]);
  expect(
    events
      .map((event: Answer) => event.direction ?? '')
      .reverse()
      .slice(2, 6),
  ).toEqual(['outgoing', 'incoming', 'outgoing', 'incoming']);
  expect((await agent.call('get_websocket_events', { direction: 'outgoing' })).total).toBe(2);
});

test('a socket that cannot connect and one that its page leaves open are captured', async ({
  page,
  site,
  eventually,
}) => {
  site.sockets.set('/open', () => {});
  await page.goto(site.url());
  await page.evaluate(() => void new WebSocket(`ws://${location.host}/nowhere`));
  const failed = await eventually(
    'get_websocket_status',
    { url_filter: '/nowhere' },
    ({ closed }) => closed.length === 1,
  );
  expect(failed.closed[0].closeCode).toBe(1006);
  await page.evaluate(
    () => new Promise((done) => new WebSocket(`ws://${location.host}/open`).addEventListener('open', done)),
  );
  await eventually('get_websocket_status', { url_filter: '/open' }, ({ connections }) => connections.length === 1);
  await page.goto('about:blank');
  const left = await eventually('get_websocket_status', { url_filter: '/open' }, ({ closed }) => closed.length === 1);
  expect(left.closed[0]).toMatchObject({ closeCode: 1001 });
});

test('messages are cut at 4 KB, and binary ones are previewed', async ({ page, site, agent, gasoline, eventually }) => {
  site.sockets.set('/data', (socket) => {
    socket.send(Buffer.from([0x0a, 0x1b, 0x2c, 0x3d]));
    socket.send(Buffer.alloc(64, 1));
    socket.send(Buffer.alloc(65, 2));
    socket.send(Buffer.alloc(255, 3));
    socket.send(Buffer.from([0xca, 0xfe, 0xba, 0xbe, ...Buffer.alloc(252)]));
    for (const bytes of [4_095, 4_096, 4_097]) socket.send('z'.repeat(bytes));
  });
  await page.goto(site.url());
  const run = (binaryType: BinaryType) =>
    page.evaluate(
      (binaryType) =>
        new Promise<void>((done) => {
          const socket = new WebSocket(`ws://${location.host}/data`);
          socket.binaryType = binaryType;
          let seen = 0;
          socket.onmessage = () => {
            if (++seen === 8) done();
          };
        }),
      binaryType,
    );
  for (const binaryType of ['arraybuffer', 'blob'] as const) {
    await run(binaryType);
    const answer = await eventually(
      'get_websocket_events',
      { max_tokens: 100_000 },
      (answer) => messages(answer).length === 8,
    );
    const data = await Promise.all(messages(answer).map(async ({ id }: Answer) => agent.entry(id)));
    const texts = data.map((entry) => entry.data);
    expect.soft(texts, binaryType).toContain('[Binary: 4B] 0a1b2c3d');
    expect.soft(texts, binaryType).toContain(`[Binary: 64B] ${'01'.repeat(64)}`);
    expect.soft(texts, binaryType).toContain(`[Binary: 65B] ${'02'.repeat(64)}...`);
    expect.soft(texts, binaryType).toContain(`[Binary: 255B] ${'03'.repeat(64)}...`);
    expect.soft(texts, binaryType).toContain('[Binary: 256B, magic: cafebabe]');
    for (const bytes of [4_095, 4_096, 4_097]) {
      const entry = data.find(({ size }) => size === bytes);
      expect.soft(entry?.data.length, `${bytes}`).toBe(Math.min(bytes, 4_096));
      expect.soft(entry?.truncated ?? false, `${bytes}`).toBe(bytes > 4_096);
    }
    await page.reload();
    await gasoline.post('/clear');
  }
});

test('a socket whose messages are transferred to a worker still closes', async ({ page, site, eventually }) => {
  site.sockets.set('/binary', (socket) => {
    socket.send(Buffer.alloc(1_000, 7));
    setTimeout(() => socket.close(1000, 'done'), 300);
  });
  await page.goto(site.url());
  await page.evaluate(() => {
    const socket = new WebSocket(`ws://${location.host}/binary`);
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => structuredClone(data, { transfer: [data] });
  });
  const { closed } = await eventually('get_websocket_status', {}, (answer) => answer.closed.length === 1);
  expect(closed[0]).toMatchObject({ closeCode: 1000, totalMessages: { incoming: 1 } });
});

test('a fast socket is sampled and says so, but messages of a new structure are kept', async ({
  page,
  site,
  agent,
  eventually,
}) => {
  site.sockets.set('/feed', (socket) => {
    let sent = 0;
    const timer = setInterval(() => {
      for (let index = 0; index < 4; index++) socket.send(JSON.stringify({ sym: 'AAPL', price: sent++ }));
      if (sent === 400) socket.send(JSON.stringify({ error: 'subscription limit', code: 7 }));
      if (sent >= 600) clearInterval(timer);
    }, 40);
  });
  await page.goto(site.url());
  await page.evaluate(() => void new WebSocket(`ws://${location.host}/feed`));
  let connection: Answer = {};
  const isSampled = async () => {
    connection = (await agent.call('get_websocket_status')).connections[0] ?? {};
    return connection.sampling?.active === true && connection.messageRate.incoming.total > 300;
  };
  await expect.poll(isSampled, { intervals: [50], timeout: 60_000 }).toBe(true);
  expect(connection.messageRate.incoming.perSecond).toBeGreaterThan(30);
  expect(connection.sampling.rate).toMatch(/^1\/\d+$/);
  expect(connection.sampling.reason).toMatch(/^[\d.]+ msg\/s exceeds 10 msg\/s threshold$/);
  expect(connection.schema.detectedKeys).toEqual(['sym', 'price']);
  const different = await eventually('get_websocket_events', { limit: 500, max_tokens: 100_000 }, (answer) =>
    messages(answer).some((event: Answer) => event.data?.includes('subscription limit')),
  );
  const kept = messages(different);
  expect(kept.length).toBeLessThan(400);
  const sampled = kept.find((event: Answer) => event.sampled);
  expect(sampled.sampled).toMatchObject({
    window: '5s',
    rate: expect.stringMatching(/^[\d.]+\/s$/),
    logged: expect.stringMatching(/^1\/\d+$/),
  });
  const data = kept.map((event: Answer) => event.data);
  for (const first of [0, 1, 2, 3, 4]) expect(data).toContain(`{"sym":"AAPL","price":${first}}`);
  const final = await eventually(
    'get_websocket_status',
    {},
    (answer) => answer.connections[0]?.messageRate?.incoming?.total === 601,
  );
  expect(final.connections[0].schema).toMatchObject({ consistent: false, messageCount: 601 });
});

test('the schema of messages is reported after all of them were examined, however busy the page is', async ({
  page,
  site,
  agent,
  eventually,
}) => {
  site.sockets.set('/busy', (socket) => {
    socket.send('{"type":"welcome","user":1}');
    socket.send('{"type":"joined","user":2}');
  });
  await page.goto(site.url());
  await page.evaluate(() => {
    let heard = 0;
    new WebSocket(`ws://${location.host}/busy`).onmessage = () => {
      if (++heard < 2) return;
      // Longer than the interval between two reports of the connection's statistics.
      const until = performance.now() + 1_500;
      while (performance.now() < until);
    };
  });
  const told = JSON.stringify({ detectedKeys: ['type', 'user'], messageCount: 2, consistent: true });
  await eventually('get_websocket_status', {}, ({ connections }) => JSON.stringify(connections[0]?.schema) === told);
  // The final statistics of a connection, too.
  await page.evaluate(async () => {
    const socket = new WebSocket(`ws://${location.host}/busy`);
    let heard = 0;
    await new Promise<void>((done) => {
      socket.onmessage = () => {
        if (++heard === 2) done();
      };
    });
    socket.dispatchEvent(new CloseEvent('close', { code: 1000 }));
  });
  const { closed } = await eventually('get_websocket_status', {}, (answer) => answer.closed.length === 1);
  const { events } = await agent.call('get_websocket_events', { connection_id: closed[0].id, limit: 1 });
  const { stats } = await agent.entry(events[0].id);
  expect(stats.schema).toEqual({ detectedKeys: ['type', 'user'], messageCount: 2, consistent: true });
});

test('the wrapped WebSocket looks like the native one in every way a page can check', async ({ page, site }) => {
  site.sockets.set('/x', () => {});
  await page.goto(site.url());
  const seen = await page.evaluate(() => {
    class Mine extends WebSocket {
      extra = 1;
    }
    const mine = new Mine(`ws://${location.host}/x`);
    const plain = new WebSocket(`ws://${location.host}/x`, ['a', 'b']);
    let thrown: unknown;
    try {
      new WebSocket('ws://[bad');
    } catch (error) {
      thrown = error;
    }
    let called: unknown;
    try {
      (WebSocket as unknown as () => void)();
    } catch (error) {
      called = error;
    }
    return {
      mine: [mine instanceof Mine, mine instanceof WebSocket, mine.constructor === Mine, mine.extra],
      plain: [
        plain.constructor === WebSocket,
        Object.getPrototypeOf(plain) === WebSocket.prototype,
        plain instanceof EventTarget,
      ],
      statics: [
        WebSocket.CONNECTING,
        WebSocket.OPEN,
        WebSocket.CLOSING,
        WebSocket.CLOSED,
        WebSocket.name,
        WebSocket.length,
      ],
      text: [
        String(WebSocket),
        Function.prototype.toString.call(WebSocket.prototype.send),
        Function.prototype.toString.toString(),
      ],
      thrown: thrown instanceof DOMException && thrown.name,
      called: called instanceof TypeError,
      own: [Object.keys(plain), JSON.stringify(Object.getOwnPropertyDescriptor(window, 'WebSocket'))],
    };
  });
  expect(seen).toEqual({
    mine: [true, true, true, 1],
    plain: [true, true, true],
    statics: [0, 1, 2, 3, 'WebSocket', 1],
    text: [
      'function WebSocket() { [native code] }',
      'function send() { [native code] }',
      'function toString() { [native code] }',
    ],
    thrown: 'SyntaxError',
    called: true,
    own: [[], '{"writable":true,"enumerable":false,"configurable":true}'],
  });
});
