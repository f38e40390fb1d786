// A real Playwright project with planted faults: every failed test is reported with its cause.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { SECRETS } from '../../../../fixtures/playwright-project/app/secrets.mjs';
import { BINARY } from '../../support/gasoline';
import { filesIn, readReport, Shop, type ShopRun } from '../../support/shop';

test.describe.configure({ mode: 'serial' });

const shop = new Shop();
let run: ShopRun;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  run = await shop.run([], { SHOP_RUN: 'whole' });
});
test.afterAll(() => shop.dispose());

const CAUSES: Record<string, RegExp[]> = {
  'uncaught exception': [/Cannot read properties of undefined \(reading 'street'\)/, /checkout\.ts:1[0-9]/],
  'after a reload': [/Cannot read properties of undefined \(reading 'street'\)/, /checkout\.ts:1[0-9]/],
  'api 500': [/POST \S*\/api\/orders/, /500/, /null pointer: user\.address/],
  'missing field': [/Cannot read properties of undefined \(reading 'toLowerCase'\)/, /\/api\/profile/],
  'dead host': [/localhost:59999\/rates/, /ERR_CONNECTION_REFUSED/],
  'blocked by policy': [/localhost:59998\/widget/, /connect-src/],
  'socket closed': [/4401/, /session expired/],
  'assertion of the app': [/stock of sku-7 is -3/],
  'slow answer': [/GET \S*\/api\/slow/, /no answer within \d/],
  'page crash': [/crashed/i],
  'bad gateway': [/GET \S*\/gone/, /502/, /catalog-service did not answer/],
  popup: [/POST \S*\/api\/orders/, /null pointer: user\.address/],
  'own context': [/POST \S*\/api\/orders/, /null pointer: user\.address/],
  'shared page, second': [/said in the second test/],
  'not reached': [/the test data is missing/],
  reached: [/the clean-up was refused/],
  credentials: [/POST \S*\/api\/login/, /401/, /account locked/],
};

function attachment(title: string, name: string, retry = 0): string {
  const attempt = run.attempts.find((one) => one.title === title && one.retry === retry);
  const found = attempt?.attachments.find((one) => one.name === name);
  expect(found, `${name} of "${title}"; the run said:\n${run.output.slice(0, 2_000)}`).toBeDefined();
  return found?.text ?? '';
}

test('each test of the project has its planned result', () => {
  const broken = new Set(run.attempts.filter(({ status }) => status !== 'passed').map(({ title }) => title));
  expect([...broken].sort()).toEqual([...Object.keys(CAUSES), 'flaky price'].sort());
  expect(run.attempts.length).toBeGreaterThan(25);
});

test('the cause is attached to each failed test', () => {
  for (const [title, causes] of Object.entries(CAUSES)) {
    const context = attachment(title, 'gasoline-context');
    for (const cause of causes) expect.soft(context, title).toMatch(cause);
    expect.soft(encode(context).length, title).toBeLessThanOrEqual(500);
    const snapshot = JSON.parse(attachment(title, 'gasoline-snapshot'));
    expect.soft(snapshot.test.title).toContain(title);
    expect.soft(snapshot.test.status).not.toBe('passed');
    expect.soft(snapshot.test.file).toMatch(/^tests\/\w+\.spec\.ts$/);
  }
});

test('errors show the source code in every page load of a test', () => {
  const { logs } = JSON.parse(attachment('after a reload', 'gasoline-snapshot'));
  const thrown = logs.filter(({ type }: { type: string }) => type === 'exception');
  expect(new Set(thrown.map(({ page_id }: { page_id: string }) => page_id)).size).toBe(2);
  for (const { _aiContext } of thrown) expect(_aiContext?.mappedStack?.[0]).toContain('checkout.ts:');
});

test('attachments contain nothing of passed tests or of other tests', () => {
  for (const { title, attachments } of run.attempts) {
    for (const { name, text } of attachments) {
      if (!name.startsWith('gasoline')) continue;
      expect(text, `${name} of ${title}`).not.toMatch(/only in test \d|said in the first test/);
      if (title !== 'assertion of the app' && title !== 'page crash')
        expect(text).not.toMatch(/stock of sku-7 is -3.{0,40}"level"|"message":"Assertion failed/);
    }
  }
  const passed = run.attempts.filter(({ status, retry }) => status === 'passed' && retry === 0);
  for (const { attachments } of passed) expect(attachments).toEqual([]);
});

test('no credential is in any file of the run', () => {
  const secrets: Record<string, string> = SECRETS;
  const files = filesIn(shop.folder).filter(({ path }) => !path.endsWith('/token'));
  expect(files.length).toBeGreaterThan(20);
  for (const { path, text } of files) {
    for (const [kind, secret] of Object.entries(secrets))
      expect(text.includes(secret), `${kind} in ${path}`).toBe(false);
  }
  // Shows that the attempt to log in was captured.
  const snapshot = attachment('credentials', 'gasoline-snapshot');
  expect(snapshot).toContain('/api/login');
  expect(snapshot).toContain('[REDACTED]');
});

test('a flaky test has a diagnosis of its failed attempt', () => {
  const difference = attachment('flaky price', 'gasoline-flaky', 1);
  expect(difference).toContain('/api/flaky');
  expect(difference).toContain('503');
  expect(encode(difference).length).toBeLessThanOrEqual(500);
  expect(attachment('flaky price', 'gasoline-context')).toContain('price cache is warming up');
});

/** As a pipeline would run it after the tests, when the server is gone. */
function report(format: string): string {
  const args = ['report', '--format', format, '--input', join(shop.folder, 'results')];
  return execFileSync(BINARY, args, { encoding: 'utf8', maxBuffer: 1e8 });
}

test('reports over the results folder know the flaky test, group by cause, and contain no credential', () => {
  const titles = Object.keys(CAUSES);
  const summary = `${titles.length + 1} tests: ${titles.length} failed, 1 flaky`;
  const text = report('text');
  expect(text).toContain(summary);
  expect(text).toMatch(/^~ .*flaky price .*attempt 1 of 2/m);
  expect(text.match(/^✗ /gm)).toHaveLength(titles.length);
  expect(text).toMatch(/^ {2}3 tests: POST \/api\/orders failed on the server with 500/m);

  const context = report('ai-context');
  expect(context.match(/^## Test Failure: /gm)).toHaveLength(titles.length);
  expect(context).toMatch(/^## Flaky Test: .*flaky price$/m);
  expect(context).toMatch(/^## Same cause in 3 tests\nPOST \/api\/orders/m);

  const junit = report('junit');
  expect(junit).toContain(`tests="${titles.length + 1}" failures="${titles.length}"`);
  expect(junit.match(/<testcase [^>]*flaky price[^>]*>\s*<failure/)).toBeNull();

  const markdown = report('markdown');
  expect(markdown).toContain(summary);
  expect(markdown).toMatch(/flaky: .*flaky price/);
  expect(markdown.match(/^\| POST \/api\/orders .*api 500.*<br>.*<br>/gm)).toHaveLength(1);

  for (const [kind, secret] of Object.entries<string>(SECRETS)) {
    for (const told of [text, context, junit, markdown]) expect(told.includes(secret), kind).toBe(false);
  }
});

test('exactly one server was started, and it ends with the run', async () => {
  const folders = () => readdirSync(join(shop.state, 'run')).filter((name) => name.startsWith('playwright-'));
  expect(folders().length).toBe(1);
  const [name] = folders();
  const log = filesIn(join(shop.state, 'run', name as string)).find(({ path }) => path.endsWith('server.log'));
  expect(log?.text.match(/listening on/g)?.length).toBe(1);
  const port = Number(/listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(log?.text ?? '')?.[1]);
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        () => 'there',
        () => 'gone',
      ),
    )
    .toBe('gone');
});

test('shards and merged blob reports keep the attachments', async () => {
  test.setTimeout(600_000);
  const blobs = join(shop.folder, 'blobs');
  const titles = 'api 500|assertion of the app|flaky price|passes 1$';
  for (const part of ['1/2', '2/2']) {
    const outputFile = join(blobs, `${part[0]}.zip`);
    await shop
      .run(['--shard', part, '--grep', titles], {
        SHOP_REPORTER: JSON.stringify([['blob', { outputFile }]]),
      })
      .catch(() => {});
    expect(existsSync(outputFile)).toBe(true);
  }
  const merged = join(shop.folder, 'merged.json');
  const { output } = await shop.command(['merge-reports', '--reporter', 'json', blobs], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: merged,
  });
  expect(existsSync(merged), output).toBe(true);
  const attempts = readReport(merged);
  const failed = attempts.filter(({ status, title }) => status === 'failed' && title !== 'flaky price');
  expect(failed.map(({ title }) => title).sort()).toEqual(['api 500', 'assertion of the app']);
  for (const { title, attachments } of failed) {
    expect(attachments.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['gasoline-context', 'gasoline-snapshot']),
    );
    const { text } = attachments.find(({ name }) => name === 'gasoline-snapshot') as { text: string };
    expect(JSON.parse(text).test.shard).toMatch(/^[12]\/2$/);
    expect(JSON.parse(text).test.title).toContain(title);
  }
  // The passing attempt is there, too, so a test that finally passed does not count as failed.
  const flaky = attempts.filter(({ title }) => title === 'flaky price').map(({ status }) => status);
  expect(flaky).toEqual(['failed', 'passed']);
  const text = execFileSync(BINARY, ['report', '--input', blobs], { encoding: 'utf8' });
  expect(text).toContain('3 tests: 2 failed, 1 flaky');
});
