// Code of an AI client in the page: off until allowed, then it returns its value, console lines and errors.

import { developerMode } from '../../support/chromium';
import { expect, STRICT, test } from './live';

test('execute_js is off until the user allows it, and can be switched off again', async ({
  open,
  agent,
  settings,
  popup,
}) => {
  const { page } = await open();
  const refused = await agent.call('execute_js', { script: 'window.ran = true' });
  expect(refused.error).toBe('disabled');
  expect(refused.hint).toContain('Allow AI to run JavaScript');
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  const panel = await popup(page);
  await panel.locator('#allowExecuteJs').setChecked(true);
  await expect.poll(async () => (await agent.call('get_status')).settings.allowExecuteJs).toBe(true);
  await panel.close();
  await page.bringToFront();
  expect(await agent.call('execute_js', { script: 'document.title' })).toMatchObject({ success: true, value: 'Live' });
  await settings({ allowExecuteJs: false });
  expect((await agent.call('execute_js', { script: '1' })).error).toBe('disabled');
});

test('values of every type are returned', async ({ open, agent, settings, site }) => {
  const { tab_id } = await open();
  await settings({ allowExecuteJs: true });
  for (const [script, value, type] of [
    ['document.title', 'Live', 'string'],
    ['return document.title', 'Live', 'string'],
    ['1 + 1', 2, 'number'],
    ['const a = 2; const b = 3; return a * b', 6, 'number'],
    ['await new Promise((done) => setTimeout(() => done("later"), 20))', 'later', 'string'],
    ['{ a: [1, null, { b: true }] }', { a: [1, null, { b: true }] }, 'object'],
    ['[1, 2] // with a comment', [1, 2], 'array'],
    ['null', null, 'null'],
    ['undefined', null, 'undefined'],
    ['if (true) { window.x = 1 }', null, 'undefined'],
    ['12345678901234567890n', '12345678901234567890n', 'bigint'],
    ['0 / 0', 'NaN', 'number'],
    ['() => 1', '[Function anonymous]', 'function'],
    ['document.querySelector("#heading")', '<h1 id="heading"></h1>', 'node'],
    ['document.querySelectorAll("li")', expect.arrayContaining([expect.stringContaining('data-id="1"')]), 'object'],
    ['new Map([["a", 1]])', [['a', 1]], 'object'],
    ['new Set([1, 2])', [1, 2], 'object'],
    ['new Date(0)', '1970-01-01T00:00:00.000Z', 'object'],
    ['const a = {}; a.self = a; return a', { self: '[circular]' }, 'object'],
    ['({ get a() { throw new Error("no") }, b: 1 })', { a: '[throws Error: no]', b: 1 }, 'object'],
    ['document.querySelector("h1").getBoundingClientRect()', expect.objectContaining({ x: 8 }), 'object'],
    ['new Error("made")', expect.objectContaining({ message: 'made' }), 'error'],
  ] as const) {
    const answer = await agent.call('execute_js', { script });
    expect(answer, script).toMatchObject({
      success: true,
      value,
      type,
      ran_in: 'page',
      tab: { id: tab_id, url: site.url() },
    });
  }
  const long = await agent.call('execute_js', { script: '"x".repeat(100_000)' });
  expect(long.value.length).toBeLessThan(25_000);
  const many = await agent.call('execute_js', { script: 'Array.from({ length: 100_000 }, (_, i) => i)' });
  expect(many.value.length).toBeLessThan(2_010);
  expect(many.value.slice(0, 3)).toEqual([0, 1, 2]);
  expect(many.value.at(-1)).toMatch(/^\[9\d{4} more\]$/);
});

test('console lines, errors and timeouts of the code are reported', async ({ open, agent, settings }) => {
  const { page } = await open();
  await settings({ allowExecuteJs: true });
  const logged = await agent.call('execute_js', {
    script: 'console.log("seen", { a: 1 }); console.warn("careful"); return 1',
  });
  expect(logged.console).toEqual([
    { level: 'log', message: 'seen {"a":1}' },
    { level: 'warn', message: 'careful' },
  ]);
  const thrown = await agent.call('execute_js', { script: 'function inner() { throw new TypeError("bad") }\ninner()' });
  expect(thrown).toMatchObject({ success: false, type: 'error', error: { name: 'TypeError', message: 'bad' } });
  expect(thrown.error.stack).toContain('inner');
  const odd = await agent.call('execute_js', { script: 'throw { code: 7 }' });
  expect(odd.error).toMatchObject({ name: 'object', message: '{"code":7}' });
  const wrong = await agent.call('execute_js', { script: 'this is no code' });
  expect(wrong).toMatchObject({ success: false, error: { name: 'SyntaxError' } });
  const slow = await agent.call('execute_js', { script: 'await new Promise(() => {})', timeout_ms: 200 });
  expect(slow).toMatchObject({ success: false, error: { name: 'Timeout', message: 'not done after 200 ms' } });
  expect(await page.evaluate(() => 'console' in window && console.log.toString())).toContain('native code');
});

test('in a page that forbids code from text, code runs only as a user script', async ({
  open,
  agent,
  settings,
  site,
  context,
  worker,
}) => {
  site.routes.set('/strict', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html', ...STRICT }).end('<!doctype html><title>Strict</title><p>x'),
  );
  let counted = 0;
  site.routes.set('/count', (_, response) => {
    counted++;
    response.end();
  });
  await settings({ allowExecuteJs: true });
  const { page } = await open('/strict');
  const told: string[] = [];
  page.on('console', (message) => told.push(message.text()));
  const refused = await agent.call('execute_js', { script: 'document.title' });
  expect(refused.error).toBe('disabled');
  expect(refused.message).toContain('content security policy');
  expect(refused.hint).toContain('Allow User Scripts');

  const extensions = await context.newPage();
  await developerMode(extensions, { extensionId: new URL(worker.url()).host, userScriptsAccess: true });
  await extensions.close();
  await page.bringToFront();
  const answer = await agent.call('execute_js', { script: 'console.log("in"); return document.title' });
  expect(answer).toMatchObject({ success: true, value: 'Strict', type: 'string', ran_in: 'user script' });
  expect(answer.console).toEqual([{ level: 'log', message: 'in' }]);
  expect(await agent.call('execute_js', { script: '2 * 3' })).toMatchObject({ value: 6, ran_in: 'user script' });
  expect(await agent.call('execute_js', { script: 'no code at all' })).toMatchObject({
    success: false,
    error: { name: 'SyntaxError' },
  });
  // A script that ran is not run again when its page goes away.
  const left = await agent.call('execute_js', {
    script: '(async () => { await fetch("/count"); location.href = "/strict?2"; await new Promise(() => {}) })()',
  });
  expect(left).toMatchObject({ error: 'browser_error', message: expect.stringContaining('another page') });
  await page.waitForTimeout(300);
  expect(counted).toBe(1);
  const thrown = await agent.call('execute_js', { script: 'null.x' });
  expect(thrown).toMatchObject({ success: false, error: { name: 'TypeError' } });
});
