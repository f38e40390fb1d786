import type { Answer } from '../../support/agent';
import { expect, test } from '../../support/test';

/** What throws, and what the model reads about it. */
const cases: Array<[name: string, code: string, expected: Record<string, unknown>]> = [
  ['an error', `throw new RangeError('too far')`, { type: 'exception', message: 'too far' }],
  ['a text', `throw 'just text'`, { type: 'exception', message: 'just text' }],
  ['an object', `throw { code: 7, why: 'x' }`, { type: 'exception', message: '{"code":7,"why":"x"}' }],
  ['a number', `throw 42`, { type: 'exception', message: '42' }],
  ['null', `throw null`, { type: 'exception', message: 'Uncaught null' }],
  ['undefined', `throw undefined`, { type: 'exception', message: 'Uncaught undefined' }],
  ['a symbol', `throw Symbol('odd')`, { type: 'exception', message: 'Symbol(odd)' }],
  [
    'a revoked proxy',
    `const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy`,
    { type: 'exception', message: '[Unreadable]' },
  ],
  [
    'a subclass',
    `class MyError extends Error { constructor() { super('mine'); this.name = 'MyError'; this.code = 'E7' } } throw new MyError()`,
    { type: 'exception', message: 'mine' },
  ],
  ['a rejection', `Promise.reject(new Error('not kept'))`, { type: 'rejection', message: 'not kept' }],
  ['a rejection with nothing', `Promise.reject()`, { type: 'rejection', message: 'undefined' }],
  [
    'an aggregate',
    `Promise.any([Promise.reject(new Error('inner one'))])`,
    { type: 'rejection', message: 'All promises were rejected' },
  ],
];

test('anything that is thrown or rejected is captured', async ({ page, site, eventually }) => {
  await page.goto(site.url());
  for (const [, code] of cases) {
    await page.evaluate((code) => void setTimeout(`{ ${code} }`), code);
    await page.waitForTimeout(20);
  }
  const { errors } = await eventually(
    'get_browser_errors',
    { limit: 50 },
    (answer) => answer.total >= cases.length + 1,
  );
  for (const [name, , expected] of cases) expect.soft(errors, name).toContainEqual(expect.objectContaining(expected));
  // The page's own first error came before anything was loaded.
  const first = errors.find(({ message }: Answer) => message === 'nothing is not defined');
  // It says where it happened even without a source map.
  expect(first._aiContext.summary).toMatch(/^ReferenceError in \S+:\d+ — nothing is not defined\.$/);
});

test('an error arrives with its position, its cause and what led to it', async ({ page, site, agent, eventually }) => {
  await page.goto(site.url());
  await page.evaluate(() => {
    const api = (window as unknown as { __gasoline: { annotate(key: string, value: unknown): boolean } }).__gasoline;
    api.annotate('cart', { items: 3 });
    document.querySelector('#go')?.addEventListener('click', function checkout() {
      throw new Error('cannot pay', { cause: new TypeError('no provider') });
    });
  });
  await page.click('#go');
  const isIt = ({ message }: Answer) => message === 'cannot pay';
  const { errors } = await eventually('get_browser_errors', {}, ({ errors }) => errors.some(isIt));
  const entry = await agent.entry(errors.find(isIt).id);
  expect(entry.stack).toContain('checkout');
  expect(entry.metadata.cause).toMatchObject({ name: 'TypeError', message: 'no provider' });
  expect(entry._context).toEqual({ cart: { items: 3 } });
  expect(entry._actions).toContainEqual(expect.objectContaining({ type: 'click', target: 'go', text: 'Go' }));
  expect(entry._enrichments).toEqual(['context', 'userActions']);
});

test('resources that do not load and policy violations are captured', async ({ page, site, eventually }) => {
  site.routes.set('/strict', (_, response) => {
    response.writeHead(200, {
      'Content-Type': 'text/html',
      'Content-Security-Policy': "script-src 'self'; img-src 'self'",
    });
    response.end('<title>Strict</title><script>window.never = 1</script><img src="http://other.test:1/x.png">');
  });
  await page.goto(site.url());
  await page.evaluate(() => {
    const image = new Image();
    image.src = '/missing.png';
    const script = document.createElement('script');
    script.src = '/missing.js';
    document.body.append(image, script);
  });
  await eventually('get_browser_errors', {}, ({ errors }) =>
    ['missing.png', 'missing.js'].every((name) =>
      errors.some(
        (error: { type: string; message: string }) => error.type === 'resource' && error.message.includes(name),
      ),
    ),
  );
  await page.goto(site.url('/strict'));
  const { errors } = await eventually(
    'get_browser_errors',
    {},
    ({ errors }) => errors.filter((error: { type: string }) => error.type === 'csp').length >= 2,
  );
  const messages = errors
    .filter((error: { type: string }) => error.type === 'csp')
    .map((error: { message: string }) => error.message);
  expect(messages.join()).toContain('script-src');
  expect(messages.join()).toContain('http://other.test:1/x.png');
});

test('at most fifty annotations of four kilobytes each are kept, and removed ones are gone', async ({
  page,
  site,
  agent,
  eventually,
}) => {
  await page.goto(site.url());
  const results = await page.evaluate(() => {
    const api = (window as never as { __gasoline: Record<string, (...args: unknown[]) => unknown> }).__gasoline;
    const taken = Array.from({ length: 51 }, (_, index) => api.annotate?.(`key${index}`, index));
    api.annotate?.('key0', 'x'.repeat(4 * 1024 - 2));
    api.annotate?.('key1', 'x'.repeat(4 * 1024 - 1));
    api.removeAnnotation?.('key2');
    const frozen = Object.isFrozen(api) && !Object.keys(window).includes('__gasoline');
    setTimeout(() => {
      throw new Error('annotated');
    });
    return { taken, frozen };
  });
  expect(results.taken.filter(Boolean)).toHaveLength(50);
  expect(results.taken[50]).toBe(false);
  expect(results.frozen).toBe(true);
  const { errors } = await eventually('get_browser_errors', {}, ({ errors }) =>
    errors.some((error: { message: string }) => error.message === 'annotated'),
  );
  const { _context } = await agent.entry(errors.find((error: { message: string }) => error.message === 'annotated').id);
  expect(Object.keys(_context)).toHaveLength(49);
  expect(_context.key0).toBe('x'.repeat(4 * 1024 - 2));
  expect(_context.key1).toHaveLength(4 * 1024);
  expect(_context.key2).toBeUndefined();
});

test('listeners survive document.open', async ({ page, site, eventually }) => {
  await page.goto(site.url());
  await eventually('get_browser_errors', {}, (answer) => answer.total > 0);
  await page.evaluate(() => {
    document.open();
    document.write('<h1>Rewritten</h1>');
    document.close();
    console.log('after rewriting');
  });
  await eventually('get_browser_logs', { search: 'after rewriting' }, (answer) => answer.total === 1);
  await page.evaluate(() => void setTimeout('throw new Error("after open")'));
  await eventually('get_browser_errors', {}, ({ errors }) =>
    errors.some((error: { message: string }) => error.message === 'after open'),
  );
});

test('a floating response.json() that gets an HTML page is reported and explained', async ({
  page,
  site,
  agent,
  eventually,
}) => {
  site.routes.set('/api/me', (_, response) => void response.writeHead(302, { Location: '/login' }).end());
  site.routes.set('/login', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><h1>Sign in</h1>');
  });
  await page.goto(site.url());
  await page.addScriptTag({
    content: `async function showUser() { const response = await fetch('/api/me'); return await response.json(); }
      function begin() { showUser().then(({ name }) => console.log(name)); }
      setTimeout(begin);
      //# sourceURL=${site.url('/user.js')}`,
  });
  const { errors } = await eventually('get_browser_errors', {}, ({ errors }) =>
    errors.some(({ message }: Answer) => /^Unexpected token '<'.*is not valid JSON$/.test(message)),
  );
  const error = errors.find(({ message }: Answer) => message.includes('is not valid JSON'));
  expect(error).toMatchObject({ type: 'rejection', count: 1 });
  const whole = await agent.entry(error.id);
  expect(whole.stack).toContain('showUser');
  expect(whole.metadata.response).toMatchObject({ url: site.url('/login'), status: 200, contentType: 'text/html' });
  const answer = await eventually('diagnose', { error_id: error.id }, ({ request }) => request);
  expect(answer.cause).toContain('GET /api/me was answered with HTML instead of JSON (200, text/html)');
  expect(answer.confidence).toBe('high');
});

test('lone surrogates do not lose an entry', async ({ page, site, agent, eventually }) => {
  await page.goto(site.url());
  const before = (await agent.call('get_status')).extension.counts.rejected;
  await page.evaluate(() => {
    const half = '😀 cut here: 😀'.slice(0, -1);
    console.log('half in a line', half, { [half]: [half] });
    document.title = half;
    setTimeout(() => {
      const error = new Error(`half in an error ${half}`);
      throw Object.assign(error, { half });
    });
  });
  const whole = '😀 cut here: \ufffd';
  const { errors } = await eventually('get_browser_errors', {}, ({ errors }) =>
    errors.some(({ message }: Answer) => message === `half in an error ${whole}`),
  );
  const { id } = errors.find(({ message }: Answer) => message.startsWith('half in an error'));
  expect((await agent.entry(id)).metadata.half).toBe(whole);
  const { logs } = await eventually('get_browser_logs', { search: 'half in a line' }, ({ total }) => total === 1);
  expect((await agent.entry(logs[0].id)).args).toEqual(['half in a line', whole, { [whole]: [whole] }]);
  const { extension, tabs } = await eventually('get_status', {}, ({ tabs }) =>
    tabs.some(({ title }: Answer) => title === whole),
  );
  expect([extension.counts.rejected, tabs.length > 0]).toEqual([before, true]);
});
