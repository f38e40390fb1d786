import type { Answer } from '../../support/agent';
import { expect, test } from '../../support/test';

test('the first line of a page is captured, with its page and tab', async ({ page, site, eventually }) => {
  await page.goto(site.url());
  const { logs } = await eventually('get_browser_logs', { search: 'first words' }, (answer) => answer.total === 1);
  expect(logs[0]).toMatchObject({ level: 'log', message: 'first words, before anything else', url: site.url() });
  expect(logs[0].tabId).toBeGreaterThan(0);
});

const cases: Array<[name: string, code: string, expected: Record<string, unknown>]> = [
  ['log', `console.log('a', 1, true, null, undefined)`, { level: 'log', message: 'a 1 true null undefined' }],
  ['debug', `console.debug('d')`, { level: 'debug', message: 'd' }],
  ['info', `console.info('i')`, { level: 'info', message: 'i' }],
  ['warn', `console.warn('w')`, { level: 'warn', message: 'w' }],
  ['error', `console.error('e')`, { level: 'error', message: 'e' }],
  ['trace', `console.trace('t')`, { level: 'debug', message: 'Trace: t' }],
  ['table', `console.table([{ a: 1 }])`, { level: 'log', args: [[{ a: 1 }]] }],
  ['dir', `console.dir({ a: 1 })`, { level: 'log', args: [{ a: 1 }] }],
  ['group', `console.group('g'); console.groupEnd()`, { level: 'log', message: 'g' }],
  ['count', `console.count('n'); console.count('n')`, { level: 'info', message: 'n: 2' }],
  ['timeEnd', `console.time('x'); console.timeEnd('x')`, { level: 'info', message: 'timeEnd x' }],
  ['failing assert', `console.assert(1 > 2, 'no', 7)`, { level: 'error', message: 'Assertion failed: no 7' }],
  [
    'format directives',
    `console.log('%s has %d of %o%c!', 'Ann', 4.7, { k: 1 }, 'color: red', 'x')`,
    { message: 'Ann has 4 of {"k":1}! x' },
  ],
  ['percent in plain text', `console.log('100% sure')`, { message: '100% sure' }],
  ['bigint and symbol', `console.log(10n, Symbol('s'))`, { message: '10n Symbol(s)' }],
  ['not a number', `console.log(NaN, -Infinity)`, { message: 'NaN -Infinity' }],
  ['cycle', `const a = { n: 1 }; a.self = a; console.log(a)`, { args: [{ n: 1, self: '[Circular]' }] }],
  [
    'getter that throws',
    `console.log({ get x() { throw new Error('boo') }, y: 1 })`,
    { args: [{ x: '[Getter]', y: 1 }] },
  ],
  [
    'proxy that throws',
    `console.log(new Proxy({}, { ownKeys() { throw 1 } }), 'after')`,
    { message: '[Unreadable] after' },
  ],
  [
    'revoked proxy',
    `const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); try { console.log(proxy, 'after') } catch {}`,
    { message: '[Unreadable] after' },
  ],
  [
    'element',
    `document.body.innerHTML = '<button id=b class="x y">go</button>'; console.log(document.querySelector('button'))`,
    { message: '<button id="b" class="x y">' },
  ],
  [
    'map and set',
    `console.log(new Map([['k', 1]]), new Set([2]))`,
    { args: [{ '[Map]': [['k', 1]] }, { '[Set]': [2] }] },
  ],
  [
    'date, regexp, function',
    `console.log(new Date(0), /a+/gi, function named() {}, class K {})`,
    { message: '1970-01-01T00:00:00.000Z /a+/gi [Function: named] [Function: K]' },
  ],
  [
    'typed array and promise',
    `console.log(new Uint8Array(3), Promise.resolve())`,
    { message: '[Uint8Array(3)] [Promise]' },
  ],
  ['null prototype', `console.log(Object.assign(Object.create(null), { a: 1 }))`, { args: [{ a: 1 }] }],
];

test('every console method and every kind of value is captured', async ({ page, site, eventually }) => {
  await page.goto(site.url());
  for (const [, code] of cases) await page.evaluate(`{ ${code} }`);
  await page.evaluate(`console.log('that was all')`);
  const { logs } = await eventually('get_browser_logs', { limit: 200 }, (answer) =>
    answer.logs.some((log: { message: string }) => log.message === 'that was all'),
  );
  for (const [name, , expected] of cases) {
    expect.soft(logs, name).toContainEqual(expect.objectContaining(expected));
  }
});

test('an error has a stack of the page without our frames', async ({ page, site, agent, eventually }) => {
  await page.goto(site.url());
  await page.addScriptTag({
    content: 'function inner() { console.error("with stack") }\nfunction outer() { inner() }\nouter()',
  });
  const { errors } = await eventually('get_browser_errors', {}, (answer) => answer.total === 1);
  const { stack } = await agent.entry(errors[0].id);
  expect(stack).toContain('inner');
  expect(stack).toContain('outer');
  expect(stack).not.toContain('chrome-extension:');
});

test('huge values are cut', async ({ page, site, agent, eventually }) => {
  await page.goto(site.url());
  await page.evaluate(() => {
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]));
    console.log('huge', wide, 'x'.repeat(5_000_000));
  });
  const { logs } = await eventually('get_browser_logs', { search: 'huge' }, (answer) => answer.total === 1);
  const entry = await agent.entry(logs[0].id);
  expect(entry.args[1]['…']).toBe('99950 more');
  expect(JSON.stringify(entry).length).toBeLessThan(40_000);
});

test('a warning that is repeated a thousand times is one entry with a count', async ({
  page,
  site,
  eventually,
  gasoline,
}) => {
  await page.goto(site.url());
  await page.evaluate(() => {
    for (let index = 0; index < 1_000; index++) console.warn('again and again');
  });
  await page.close();
  const count = (answer: { logs: Array<{ count?: number }> }) =>
    answer.logs.reduce((sum, log) => sum + (log.count ?? 1), 0);
  await eventually('get_browser_logs', { search: 'again and again' }, (answer) => count(answer as never) === 1_000);
  const { entries } = await gasoline.get<{ entries: Array<{ message: string }> }>('/logs');
  expect(entries.filter(({ message }) => message === 'again and again').length).toBeLessThanOrEqual(2);
});

test('console output of frames is captured, even of those without an address', async ({ page, site, eventually }) => {
  await page.goto(site.url());
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.src = '/page.html?framed';
    const bare = document.createElement('iframe');
    // Our script is injected shortly after the frame's own script ran.
    bare.srcdoc = `<script>
      let number = 0;
      setInterval(() => console.log('from a frame without an address, number ' + ++number + '.'), 500);
    </script>`;
    document.body.append(frame, bare);
  });
  await eventually('get_browser_logs', { search: 'first words', url_filter: 'framed' }, (answer) => answer.total === 1);
  const { logs } = await eventually('get_browser_logs', { search: 'from a frame' }, (answer) => answer.total >= 1);
  const said = logs.map(({ message }: Answer) => message);
  expect(said).toEqual([...new Set(said)]);
});

test('the last lines before a page is left are captured', async ({ page, site, eventually }) => {
  await page.goto(site.url());
  await page.waitForTimeout(500);
  await page.evaluate(() => {
    addEventListener('pagehide', () => console.log('said on leaving'));
    console.log('said before leaving');
    location.href = 'about:blank';
  });
  await eventually('get_browser_logs', { search: 'leaving' }, ({ total }) => total === 2);
});

test('capture works in pages that replaced Error and arrays', async ({ page, site, eventually }) => {
  await page.goto(site.url());
  await page.evaluate(() => {
    Object.assign(Error, { prepareStackTrace: (_: unknown, frames: unknown[]) => frames });
    Object.assign(Array.prototype, { toJSON: () => 'no array' });
    const odd = Object.assign(new Error('odd stack'), { stack: ['not', 'a', 'text'] });
    console.error(odd);
    console.warn('frames instead of a text');
    console.log('arrays', [1, 2]);
  });
  for (const text of ['odd stack', 'frames instead', 'arrays']) {
    await eventually('get_browser_logs', { search: text }, ({ total }) => total === 1);
  }
});

test('a page that leaves before it has loaded is captured, and the switches apply to it', async ({
  page,
  site,
  agent,
  settings,
  eventually,
}) => {
  // Its last resource never comes, so `load` never fires; and no error makes our script hurry.
  site.routes.set('/stuck.png', () => {});
  const leave = async (round: string) => {
    site.routes.set(`/${round}`, (_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(
        `<!doctype html><title>Leaving</title><img src="/stuck.png"><script>
          console.log('${round} log'); console.warn('${round} warning');
          setTimeout(() => { location.href = '/?after'; }, 50);
        </script>`,
      ),
    );
    await page.goto(site.url(`/${round}`), { waitUntil: 'commit' });
    await page.waitForURL(site.url('/?after'));
  };
  await leave('first');
  await eventually('get_browser_logs', { search: 'first log' }, ({ total }) => total === 1);
  await settings({ captureLevel: 'warn' });
  await leave('second');
  await eventually('get_browser_logs', { search: 'second warning' }, ({ total }) => total === 1);
  expect((await agent.call('get_browser_logs', { search: 'second log' })).total).toBe(0);
});
