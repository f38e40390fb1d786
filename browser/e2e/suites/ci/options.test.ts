// Each option of the fixture on and off, the reporter, and what happens when something is missing.

import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { test as base, expect } from '@playwright/test';
import { freePort } from '../../support/free-port.mjs';
import { BINARY, Gasoline } from '../../support/gasoline';
import { filesIn, PROJECT, Shop } from '../../support/shop';

const test = base.extend<{ shop: Shop }>({
  shop: async ({}, use) => {
    const shop = new Shop();
    await use(shop);
    shop.dispose();
  },
});
test.setTimeout(600_000);

/** Runs without a browser take half the time, and these tests do not need pages. */
const NO_PAGE = ['--grep', 'no page at all'];
const FAILING = ['--grep', 'api 500', '--workers', '1'];
const BOTH = ['--grep', 'api 500|passes 1$', '--workers', '2'];

/** A config beside the project's own, with additional options. */
function configOf(shop: Shop, use: object, more: object = {}): string {
  const path = join(PROJECT, `${shop.folder.split('-').at(-1)}.config.ts`);
  writeFileSync(
    path,
    `import config from './playwright.config';
export default { ...config, ...${JSON.stringify(more)}, use: { ...config.use, ...${JSON.stringify(use)} } };\n`,
  );
  return path;
}

async function withConfig<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

const gasolineNames = (attempts: Array<{ attachments: Array<{ name: string }> }>) =>
  attempts
    .flatMap(({ attachments }) => attachments.map(({ name }) => name))
    .filter((name) => name.startsWith('gasoline'));

test('a missing binary causes one warning with a remedy, and tests run on', async ({ shop }) => {
  const { output, attempts } = await shop.run(BOTH, { GASOLINE_BINARY: '/nowhere/gasoline' });
  expect(attempts.map(({ title, status }) => `${title} ${status}`).sort()).toEqual([
    'api 500 failed',
    'passes 1 passed',
  ]);
  expect(output.match(/gasoline: /g)).toHaveLength(1);
  expect(output).toContain('could not be started by `/nowhere/gasoline`');
  expect(output).toContain('Tests run without it.');
  expect(gasolineNames(attempts)).toEqual([]);
});

test('without any binary on the machine the warning names the package', async ({ shop }) => {
  const node = process.execPath.replace(/\/[^/]+$/, '');
  const { output, attempts } = await shop.run(NO_PAGE, { GASOLINE_BINARY: '', PATH: `${node}:/usr/bin:/bin` });
  expect(output).toContain('npm install --save-dev gasoline-eyes');
  expect(attempts.map(({ status }) => status)).toEqual(['passed']);
});

test('with gasolineAutoStart off and no server there is one warning, and the fixture returns empty answers', async ({
  shop,
}) => {
  const port = await freePort();
  const config = configOf(shop, { gasolineAutoStart: false });
  const { output, attempts } = await withConfig(config, () =>
    shop.run(['--config', config, '--grep', 'snapshot of the test itself'], {
      GASOLINE_PORT: String(port),
      SHOP_WITHOUT_SERVER: '1',
    }),
  );
  expect(output.match(/gasoline: /g)).toHaveLength(1);
  expect(output).toContain(`gasoline serve --ci --port ${port}`);
  expect(attempts.every(({ status }) => status === 'passed')).toBe(true);
  expect(filesIn(shop.state).some(({ path }) => path.endsWith('server.log'))).toBe(false);
});

test('a running server is used, and keeps only the failed tests', async ({ shop }) => {
  const gasoline = await new Gasoline().start(['--ci']);
  try {
    const { attempts } = await shop.run(BOTH, {
      GASOLINE_PORT: String(gasoline.port),
      GASOLINE_STATE_DIR: gasoline.state,
      GASOLINE_BINARY: '/nowhere/gasoline',
    });
    expect(gasolineNames(attempts)).toEqual(['gasoline-context', 'gasoline-snapshot']);
    const left = await gasoline.get<{ logs: Array<{ message: string; test_id: string }>; tests: object[] }>(
      '/snapshot',
    );
    expect(left.logs.length).toBeGreaterThan(0);
    for (const { test_id } of left.logs) expect(test_id).toContain('api 500');
    expect(JSON.stringify(left.tests)).toContain('passes 1');
  } finally {
    await gasoline.dispose();
  }
});

test('a server with another token is left alone', async ({ shop }) => {
  const gasoline = await new Gasoline().start(['--ci']);
  try {
    const { output } = await shop.run(NO_PAGE, {
      GASOLINE_PORT: String(gasoline.port),
      GASOLINE_TOKEN: 'f'.repeat(64),
    });
    expect(output).toContain('rejects our token');
    expect(output.match(/gasoline: /g)).toHaveLength(1);
  } finally {
    await gasoline.dispose();
  }
});

test('a server that hangs changes no result, and only one test waits for it', async ({ shop }) => {
  const gasoline = await new Gasoline().start(['--ci']);
  // Less time than a test would need that waits for each of its requests.
  const config = configOf(shop, {}, { testDir: 'hung', fullyParallel: false, timeout: 15_000 });
  try {
    const { attempts, output } = await withConfig(config, () =>
      shop.run(['--config', config, '--workers', '1'], {
        GASOLINE_PORT: String(gasoline.port),
        GASOLINE_STATE_DIR: gasoline.state,
        SHOP_SERVER_PID: String(gasoline.pid),
      }),
    );
    expect(
      attempts.map(({ title, status }) => `${title}: ${status}`),
      output,
    ).toEqual(['the server hangs: passed', 'asks a server that hangs: passed', 'fails by itself: failed']);
    expect(output).toContain('expect(1 + 1).toBe(3)');
    expect(output).not.toContain('timeout exceeded');
  } finally {
    process.kill(gasoline.pid as number, 'SIGCONT');
    await gasoline.dispose();
  }
});

test('the server gets all errors, unexpected passes and the number of each repeat', async ({ shop }) => {
  interface Told {
    action: string;
    title?: string;
    repeat?: number;
    test_id: string;
    error?: string;
  }
  const told: Told[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === '/test-boundary') told.push((await json(request)) as Told);
    response.end(JSON.stringify({ service: 'gasoline', uptime_seconds: 1 }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const config = configOf(shop, { gasolineAttachOnFailure: false }, { testDir: 'told' });
  const { output } = await withConfig(config, () =>
    shop.command(
      ['test', '--output', join(shop.folder, 'results'), '--config', config, '--workers', '1', '--repeat-each', '2'],
      {
        GASOLINE_PORT: String((server.address() as AddressInfo).port),
        SHOP_REPORTER: JSON.stringify([['gasoline-playwright/reporter']]),
      },
    ),
  );
  server.closeAllConnections();
  server.close();
  for (const title of ['several errors', 'fails no more']) {
    const starts = told.filter((one) => one.action === 'start' && one.title?.includes(title));
    expect(starts.map(({ repeat }) => repeat).sort(), title).toEqual([1, undefined]);
    const ids = starts.map(({ test_id }) => test_id);
    const errors = told.filter((one) => one.action === 'end' && ids.includes(one.test_id)).map(({ error }) => error);
    expect(errors).toHaveLength(2);
    for (const error of errors) {
      if (title === 'fails no more') expect(error).toBe('expected to fail, but passed');
      else expect(error).toMatch(/Expected: "one".*\n\n.*Expected: "two".*\n\nError: and the last/s);
    }
  }
  // A test whose hook failed has no page and no session, but it is counted.
  expect(output).toContain('6 tests failed, 3 different messages:');
  expect(output).toContain('2 × Error: the hook fails');
  expect(output).toContain('told.spec.ts › several errors repeat 1');
});

test('with gasolineAttachOnFailure off nothing is attached', async ({ shop }) => {
  const config = configOf(shop, { gasolineAttachOnFailure: false });
  const { attempts } = await withConfig(config, () => shop.run(['--config', config, ...FAILING]));
  expect(attempts.map(({ status }) => status)).toEqual(['failed']);
  expect(gasolineNames(attempts)).toEqual([]);
});

test('ten workers start one server, and persistent contexts, merged tests and a worker that ends work', async ({
  shop,
}) => {
  const config = configOf(shop, {}, { testDir: 'ways' });
  const { attempts, output } = await withConfig(config, () => shop.run(['--config', config, '--workers', '10']));
  const ten = attempts.filter(({ title }) => title.startsWith('one of ten'));
  expect(ten.map(({ status }) => status)).toEqual(Array(10).fill('passed'));
  const logs = filesIn(shop.state).filter(({ path }) => path.endsWith('server.log'));
  expect(logs).toHaveLength(1);
  expect(logs[0]?.text.match(/listening on/g)).toHaveLength(1);
  expect(output).not.toContain('gasoline: ');

  const attempt = (title: string) => attempts.find((one) => one.title === title);
  for (const [title, said] of [
    ['persistent context', 'said in a persistent context'],
    ['merged', 'hello from a fixture of our own'],
    ['default context over CDP', 'said in the default context'],
    ['default context over CDP', 'said after another load'],
  ] as const) {
    const context = attempt(title)?.attachments.find(({ name }) => name === 'gasoline-context');
    expect(context?.text, title).toContain(said);
  }
  expect(attempt('worker ends')?.status).toBe('failed');
  expect(attempt('headers of the document')?.status, output).toBe('passed');
  const port = Number(/listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(logs[0]?.text ?? '')?.[1]);
  const answer = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      () => 'there',
      () => 'gone',
    );
  await expect.poll(answer).toBe('gone');
});

test('with NODE_OPTIONS no file of a project changes', async ({ shop }) => {
  const register = join(PROJECT, '../../browser/playwright/dist/register.js');
  const config = configOf(shop, {});
  const { attempts } = await withConfig(config, () =>
    shop.run(['--config', config, ...FAILING], {
      NODE_OPTIONS: `--require "${register}"`,
      SHOP_WITHOUT_REGISTER: '1',
    }),
  );
  expect(gasolineNames(attempts)).toEqual(['gasoline-context', 'gasoline-snapshot']);
});

test('`register` warns once when it is imported too late', async ({ shop }) => {
  const config = configOf(shop, {}, { testDir: 'late' });
  const { attempts, output } = await withConfig(config, () =>
    shop.run(['--config', config, '--workers', '1'], { SHOP_WITHOUT_REGISTER: '1' }),
  );
  expect(attempts.map(({ status }) => status)).toEqual(['passed', 'passed']);
  expect(output.match(/gasoline: .* was imported after `test`/g)).toHaveLength(1);
});

test('the reporter groups by cause, and writes a file when asked', async ({ shop }) => {
  const file = join(shop.folder, 'summary.md');
  const reporter = [['gasoline-playwright/reporter', { outputFile: file }]];
  const config = configOf(shop, {}, { reporter });
  const { output } = await withConfig(config, () =>
    shop.command(
      ['test', '--output', join(shop.folder, 'results'), '--config', config, '--grep', 'api 500|popup|own context'],
      {
        GASOLINE_BINARY: BINARY,
      },
    ),
  );
  expect(output).toContain('/api/orders');
  expect(output).toContain('null pointer: user.address');
  const text = filesIn(shop.folder).find(({ path }) => path === file)?.text ?? '';
  expect(text).toContain('/api/orders');
});

test('the reporter groups the messages of Playwright if the tests ran without Gasoline', async ({ shop }) => {
  const config = configOf(shop, {});
  const { output } = await withConfig(config, () =>
    shop.command(
      [
        'test',
        '--output',
        join(shop.folder, 'results'),
        '--config',
        config,
        '--reporter',
        'line,gasoline-playwright/reporter',
        '--grep',
        'api 500|popup|own context',
      ],
      { SHOP_WITHOUT_REGISTER: '1' },
    ),
  );
  expect(output).toContain('3 tests failed, 1 different message:');
  expect(output).toMatch(/3 × Error: expect\(locator\)\.toHaveText\(expected\) failed/);
});
