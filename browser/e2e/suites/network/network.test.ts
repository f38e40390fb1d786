import type { Answer } from '../../support/agent';
import { json, type Site } from '../../support/site';
import { expect, test } from '../../support/test';

function routes(site: Site): void {
  site.routes.set('GET /api/items', (_, response) => json(response, { items: [1, 2, 3], total: 3 }));
  site.routes.set('POST /api/echo', (request, response, body) =>
    json(response, { got: body, type: request.headers['content-type'] ?? null }, 201, {
      'Set-Cookie': 'sid=secretvalue; HttpOnly',
    }),
  );
  site.routes.set('GET /api/broken', (_, response) => json(response, { error: 'no provider configured' }, 500));
  site.routes.set('GET /api/none', (_, response) => json(response, { error: 'not here' }, 404));
  site.routes.set('GET /api/never', () => {});
  site.routes.set(
    'GET /api/image',
    (_, response) => void response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '5' }).end('PNG..'),
  );
  site.routes.set('GET /api/size', (request, response) => {
    const bytes = Number(new URL(request.url ?? '', 'http://x').searchParams.get('bytes'));
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end('x'.repeat(bytes));
  });
}

const of = (answer: Answer, path: string) => answer.bodies.find((body: { url: string }) => body.url.includes(path));

test('every request is captured, its bodies only if allowed', async ({ page, site, eventually }) => {
  routes(site);
  await page.goto(site.url());
  await page.evaluate(async () => {
    await fetch('/api/items', { headers: { Authorization: 'Bearer abcdefghijklmnop', 'X-Trace': '7' } });
    await fetch('/api/echo', { method: 'post', body: '{"name":"Ann"}' });
    await new Promise((done) => {
      const xhr = new XMLHttpRequest();
      xhr.open('GET', '/api/items?via=xhr');
      xhr.onloadend = done;
      xhr.send();
    });
  });
  const answer = await eventually('get_network_bodies', {}, ({ total }) => total === 3);
  expect(of(answer, '/api/items')).toBeTruthy();
  const [xhr, echo, items] = answer.bodies;
  expect(items).toMatchObject({ method: 'GET', status: 200, contentType: 'application/json', hasAuthHeader: true });
  expect(echo).toMatchObject({ method: 'POST', status: 201, hasAuthHeader: false });
  expect(xhr.url).toBe(site.url('/api/items?via=xhr'));
  expect(items.duration).toBeGreaterThan(0);
  for (const body of answer.bodies) {
    expect(body.responseBody).toBeUndefined();
    expect(body.requestBody).toBeUndefined();
  }
  expect(JSON.stringify(answer)).not.toContain('abcdefghijklmnop');
  expect(answer.hint).toMatch(/bodies/i);
});

test('bodies of every kind of request are captured once allowed', async ({
  page,
  site,
  agent,
  eventually,
  settings,
}) => {
  routes(site);
  await settings({ captureNetworkBodies: true });
  await page.goto(site.url());
  await page.evaluate(async () => {
    const form = new FormData();
    form.append('field', 'value');
    form.append('file', new File(['abc'], 'a.txt', { type: 'text/plain' }));
    await fetch('/api/echo?kind=text', { method: 'POST', body: '{"name":"Ann"}' });
    await fetch('/api/echo?kind=params', { method: 'POST', body: new URLSearchParams({ a: '1', b: '2' }) });
    await fetch('/api/echo?kind=form', { method: 'POST', body: form });
    await fetch('/api/echo?kind=blob', { method: 'POST', body: new Blob(['{"b":1}'], { type: 'application/json' }) });
    await fetch('/api/echo?kind=binary', { method: 'POST', body: new Uint8Array(12) });
    const request = new Request('/api/echo?kind=request', {
      method: 'PUT',
      body: 'from a Request',
      headers: { 'X-Api-Key': 'k' },
    });
    await fetch(request).catch(() => {});
    await new Promise((done) => {
      const xhr = new XMLHttpRequest();
      xhr.open('POST', '/api/echo?kind=xhr');
      xhr.responseType = 'json';
      xhr.onloadend = done;
      xhr.send('from xhr');
    });
    await fetch('/api/image');
  });
  const answer = await eventually('get_network_bodies', { limit: 50 }, ({ total }) => total === 8);
  const full = async (kind: string) => agent.entry(of(answer, kind).id);
  expect(await full('kind=text')).toMatchObject({ requestBody: '{"name":"Ann"}', requestSize: 14, status: 201 });
  expect((await full('kind=text')).responseBody).toContain('{"got":"{\\"name\\":\\"Ann\\"}"');
  expect((await full('kind=params')).requestBody).toBe('a=1&b=2');
  expect((await full('kind=form')).requestBody).toBe('field=value&file=[File: a.txt, 3 bytes, type: text/plain]');
  expect((await full('kind=blob')).requestBody).toBe('{"b":1}');
  expect((await full('kind=binary')).requestBody).toBe('[Binary: 12 bytes, type: unknown]');
  expect(await full('kind=request')).toMatchObject({
    method: 'PUT',
    requestBody: 'from a Request',
    hasAuthHeader: true,
  });
  expect((await full('kind=request')).requestHeaders['x-api-key']).toBe('[REDACTED]');
  expect(await full('kind=xhr')).toMatchObject({ requestBody: 'from xhr', initiator: 'xhr' });
  expect((await full('kind=xhr')).responseBody).toContain('from xhr');
  expect((await full('/api/image')).responseBody).toBe('[Binary: 5 bytes, type: image/png]');
});

test('bodies are cut at 8 and 16 KB, not before', async ({ page, site, agent, eventually, settings }) => {
  routes(site);
  await settings({ captureNetworkBodies: true });
  await page.goto(site.url());
  const sizes = [16_383, 16_384, 16_385, 1_000_000];
  await page.evaluate(async (sizes) => {
    for (const bytes of sizes) await (await fetch(`/api/size?bytes=${bytes}`)).text();
    for (const bytes of [8_191, 8_192, 8_193])
      await fetch(`/api/echo?sent=${bytes}`, { method: 'POST', body: 'y'.repeat(bytes) });
  }, sizes);
  const answer = await eventually('get_network_bodies', { limit: 50, max_tokens: 100_000 }, ({ total }) => total === 7);
  for (const bytes of sizes) {
    const entry = await agent.entry(of(answer, `bytes=${bytes}`).id);
    expect.soft(entry.responseBody.length, `${bytes}`).toBe(Math.min(bytes, 16_384));
    expect.soft(entry.truncated ?? false, `${bytes}`).toBe(bytes > 16_384);
  }
  for (const bytes of [8_191, 8_192, 8_193]) {
    const entry = await agent.entry(of(answer, `sent=${bytes}`).id);
    expect.soft(entry.requestBody.length, `${bytes}`).toBe(Math.min(bytes, 8_192));
  }
});

test('a bad status, an abort and an unreachable server are one error each', async ({
  page,
  site,
  agent,
  eventually,
}) => {
  routes(site);
  await page.goto(site.url());
  await page.evaluate(async () => {
    await fetch('/api/broken');
    await fetch('/api/none');
    const controller = new AbortController();
    const slow = fetch('/api/never', { signal: controller.signal }).catch(() => {});
    setTimeout(() => controller.abort(), 50);
    await slow;
    await fetch('http://127.0.0.1:9/nobody').catch(() => {});
    await new Promise((done) => {
      const xhr = new XMLHttpRequest();
      xhr.open('GET', '/api/never');
      xhr.timeout = 60;
      xhr.onloadend = done;
      xhr.send();
    });
  });
  const answer = await eventually('get_network_bodies', { status_max: 0 }, ({ total }) => total === 3);
  expect(answer.bodies.map((body: { error: string }) => body.error).sort()).toEqual([
    'Failed to fetch',
    'aborted',
    'timed out',
  ]);
  const { errors } = await eventually('get_browser_errors', {}, ({ total }) => total >= 4);
  const broken = errors.filter((error: { requestUrl?: string }) => error.requestUrl?.endsWith('/api/broken'));
  expect(broken).toHaveLength(1);
  expect(broken[0]).toMatchObject({ status: 500, method: 'GET' });
  expect((await agent.call('get_network_bodies', { status_min: 400 })).total).toBe(2);
});

test('a failure is reported at once and its body later, even if the page is left before the body ends', async ({
  page,
  site,
  agent,
  eventually,
  settings,
}) => {
  routes(site);
  let finish = () => {};
  site.routes.set('GET /api/trickle', (_, response) => {
    response.writeHead(500, { 'Content-Type': 'application/json' });
    response.write('{"error":');
    finish = () => response.end('"late"}');
  });
  await settings({ captureNetworkBodies: true });
  await page.goto(site.url());
  await page.waitForTimeout(300);
  const asked = Date.now();
  await page.evaluate(() => void fetch('/api/trickle'));
  // Reported although its body has not ended.
  const { errors } = await eventually('get_browser_errors', {}, ({ total }) => total === 1);
  expect(errors[0]).toMatchObject({ status: 500 });
  expect(errors[0].duration).toBeLessThanOrEqual(Date.now() - asked);
  expect(errors[0].responseBody).toBeUndefined();
  finish();
  const { bodies } = await eventually('get_network_bodies', {}, ({ total }) => total === 1);
  expect((await agent.entry(bodies[0].id)).responseBody).toBe('{"error":"late"}');
  expect((await agent.call('get_browser_errors')).total).toBe(1);

  await settings({ captureNetworkBodies: false });
  await page.evaluate(() => {
    fetch('/api/items?leaving').then(() => {
      location.href = 'about:blank';
    });
  });
  await eventually('get_network_bodies', { url_filter: 'leaving' }, ({ total }) => total === 1);
});

test('an XMLHttpRequest that is reused in its own load handler is two requests', async ({
  page,
  site,
  agent,
  eventually,
}) => {
  routes(site);
  await page.goto(site.url());
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        const xhr = new XMLHttpRequest();
        let round = 0;
        xhr.onload = () => {
          if (++round === 2) return done();
          xhr.open('GET', '/api/items?second');
          xhr.send();
        };
        xhr.open('GET', '/api/items?first');
        xhr.send();
      }),
  );
  const { bodies } = await eventually('get_network_bodies', {}, ({ total }) => total === 2);
  expect(bodies.map((body: Answer) => [body.url.split('?')[1], body.status])).toEqual([
    ['second', 200],
    ['first', 200],
  ]);
  expect((await agent.call('get_browser_errors')).total).toBe(0);
});

test('a response that the browser hides is not a failure', async ({ page, site, agent, eventually }) => {
  routes(site);
  await page.goto(site.url());
  await page.evaluate(
    async (other) => {
      await fetch(other, { mode: 'no-cors' });
      await fetch('/api/items');
    },
    site.url('/api/items', '127.0.0.1'),
  );
  await eventually('get_network_bodies', {}, ({ total }) => total === 2);
  expect((await agent.call('get_browser_errors')).total).toBe(0);
});

test('a stream is captured as it arrives', async ({ page, site, eventually, settings }) => {
  let finish = () => {};
  site.routes.set('GET /stream', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('data: {"word":"Hel"}\n\n');
    finish = () => response.end('data: {"word":"lo"}\n\n');
  });
  await settings({ captureNetworkBodies: true });
  await page.goto(site.url());
  const text = page.evaluate(async () => (await fetch('/stream')).text());
  const { events } = await eventually('get_websocket_events', { url_filter: '/stream' }, ({ total }) => total >= 2);
  expect(events[0]).toMatchObject({ event: 'message', direction: 'incoming', data: 'data: {"word":"Hel"}\n\n' });
  await eventually('get_network_bodies', { url_filter: '/stream' }, ({ total }) => total === 1);
  finish();
  expect(await text).toBe('data: {"word":"Hel"}\n\ndata: {"word":"lo"}\n\n');
  await eventually('get_websocket_status', { url_filter: '/stream' }, ({ closed }) => closed.length === 1);
});

test('server-sent events are captured, including named ones', async ({ page, site, eventually }) => {
  site.routes.set('GET /events', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('data: plain\n\nevent: price\ndata: {"eur":3}\n\n');
  });
  await page.goto(site.url());
  await page.evaluate(() => {
    const source = new EventSource('/events');
    source.addEventListener('price', () => {});
    Object.assign(window, { source });
  });
  const { events } = await eventually(
    'get_websocket_events',
    {},
    (answer) => answer.events.filter((event: Answer) => event.event === 'message').length === 2,
  );
  expect(events.map((event: { data?: string }) => event.data)).toContain('event: price\n{"eur":3}');
  const { connections } = await eventually('get_websocket_status', {}, (answer) => answer.connections.length === 1);
  expect(connections[0]).toMatchObject({ state: 'open', url: site.url('/events') });
  await page.evaluate(() => (window as unknown as { source: EventSource }).source.close());
  await eventually('get_websocket_status', {}, ({ closed }) => closed.length === 1);
});

test('fetch gives the page a native promise and one rejection, and reads an iterator of headers once', async ({
  page,
  site,
}) => {
  routes(site);
  await page.goto(site.url());
  const result = await page.evaluate(async () => {
    const rejections: unknown[] = [];
    addEventListener('unhandledrejection', (event) => {
      rejections.push(event.reason);
      event.preventDefault();
    });
    const reason = new Error('mine');
    const controller = new AbortController();
    controller.abort(reason);
    const unhandled = fetch('/api/items', { signal: controller.signal });
    await new Promise((done) => setTimeout(done, 50));
    const handled = await fetch('/api/items', { signal: controller.signal }).catch((error) => error);
    await new Promise((done) => setTimeout(done, 50));
    const headers = new Map([['x-one', '1']]);
    const echoed = await fetch('/api/echo', { method: 'POST', headers: headers.entries() as never, body: 'x' });
    return {
      isPromise: unhandled instanceof Promise,
      once: rejections.length,
      same: rejections[0] === reason,
      handledSame: handled === reason,
      status: echoed.status,
    };
  });
  expect(result).toEqual({ isPromise: true, once: 1, same: true, handledSame: true, status: 201 });
});

test('an event that the page puts in place of the current event is not read', async ({ page, site, eventually }) => {
  routes(site);
  await page.goto(site.url());
  const asked = await page.evaluate(async () => {
    let asked = 0;
    Object.defineProperty(window, 'event', {
      get() {
        asked++;
        throw new Error('not yours');
      },
    });
    await fetch('/api/items?event=own');
    return asked;
  });
  expect(asked).toBe(0);
  await eventually('get_network_bodies', {}, (answer) => of(answer, 'event=own') !== undefined);
});

test('a request knows its caller and the event that caused it', async ({ page, site, agent, eventually }) => {
  routes(site);
  await page.goto(site.url());
  await page.evaluate(() => {
    const button = document.body.appendChild(document.createElement('button'));
    button.textContent = 'Load';
    button.onclick = async function loadItems() {
      await fetch('/api/items?first');
      await fetch('/api/items?second');
    };
  });
  await page.getByRole('button', { name: 'Load' }).click();
  const answer = await eventually('get_network_bodies', {}, (answer) => of(answer, '?second') !== undefined);
  const entry = async (path: string) => (await agent.call('get_network_bodies', { id: of(answer, path)?.id })).entry;
  const [first, second] = [await entry('?first'), await entry('?second')];
  expect(first.trigger).toBe('click');
  expect(first.stack).toContain('loadItems');
  // No longer: other things may have happened while it waited.
  expect(second.trigger).toBeUndefined();
  expect(second.stack).toContain('loadItems');
});

test('everything before an error is available right after the error', async ({ page, site, agent, settings }) => {
  routes(site);
  await settings({ captureNetworkBodies: true });
  await page.goto(site.url());
  await page.evaluate(() => document.body.append(document.createElement('button')));
  // A response waits at most 150 ms for a body, so a machine that stalls may spoil a round, but not all of them.
  // Everything that was captured before the error is sent with it, so it is there in every round.
  let withBody = 0;
  for (let round = 1; round <= 6; round++) {
    await page.evaluate((round) => {
      const go = async () => {
        console.log(`round ${round} begins`);
        await fetch(`/api/items?${round}`).then((answer) => answer.text());
        const answer = await fetch(`/api/broken?${round}`);
        throw new Error(`round ${round}: ${answer.status}`);
      };
      // biome-ignore lint/style/noNonNullAssertion: it is there
      document.querySelector<HTMLElement>('button:last-of-type')!.onclick = () => void go();
    }, round);
    await page.locator('button').last().click();
    // Each answer counts, so each question is asked once.
    let errors: Answer[] = [];
    while (!errors.some(({ message }) => message === `round ${round}: 500`)) {
      ({ errors } = (await agent.call('get_browser_errors', { limit: 50 })) as { errors: Answer[] });
    }
    const { bodies } = await agent.call('get_network_bodies', { limit: 50 });
    const found = (path: string) => bodies.find(({ url }: Answer) => url.endsWith(`${path}?${round}`));
    const { total } = await agent.call('get_browser_logs', { search: `round ${round} begins` });
    const { actions } = await agent.call('get_enhanced_actions', {});
    const clicks = actions.filter(({ type }: Answer) => type === 'click');
    expect({ lines: total, clicks: clicks.length, items: found('/api/items')?.status }).toEqual({
      lines: 1,
      clicks: round,
      items: 200,
    });
    if (found('/api/broken')?.responseBody?.includes('no provider configured')) withBody++;
  }
  expect(withBody).toBeGreaterThanOrEqual(4);
});

test('a chunked response has its size, and a document its text', async ({
  page,
  site,
  agent,
  eventually,
  settings,
}) => {
  const inPieces = (path: string, type: string, text: string) =>
    site.routes.set(path, (_, response) => {
      response.writeHead(200, { 'Content-Type': type });
      response.write(text.slice(0, 10));
      response.end(text.slice(10));
    });
  inPieces('/photo', 'image/png', '\x01'.repeat(2_048));
  inPieces('/long', 'text/plain', 'x'.repeat(30_000));
  inPieces('/xml', 'text/xml', '<?xml version="1.0"?><rows><row id="1">one</row></rows>');
  await page.goto(site.url());
  const use = (round: string) =>
    page.evaluate(async (round) => {
      await (await fetch(`/photo?${round}`)).arrayBuffer();
      await (await fetch(`/long?${round}`)).text();
      const xhr = new XMLHttpRequest();
      xhr.open('GET', `/xml?${round}`);
      xhr.responseType = 'document';
      const ended = new Promise((done) => xhr.addEventListener('loadend', done));
      xhr.send();
      await ended;
    }, round);
  const found = async (path: string) => {
    const { bodies } = await eventually('get_network_bodies', { url: path }, ({ total }) => total === 1);
    return (await agent.call('get_network_bodies', { id: bodies[0].id })).entry;
  };
  await use('off');
  expect((await found('/photo?off')).responseSize).toBe(2_048);
  expect((await found('/long?off')).responseSize).toBe(30_000);
  await settings({ captureNetworkBodies: true });
  await use('on');
  expect(await found('/photo?on')).toMatchObject({
    responseSize: 2_048,
    responseBody: '[Binary: 2048 bytes, type: image/png]',
  });
  expect(await found('/long?on')).toMatchObject({ responseSize: 30_000, truncated: true });
  expect((await found('/xml?on')).responseBody).toContain('<row id="1">one</row>');
});
