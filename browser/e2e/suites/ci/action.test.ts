// Runs the example workflow as far as possible on this machine: its own shell steps and those of the two actions, in
// order, with the files through which the steps of a runner communicate.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { headlessPath } from '../../support/chromium';
import { freePort } from '../../support/free-port.mjs';
import { BINARY } from '../../support/gasoline';
import { PROJECT, Shop } from '../../support/shop';

const ACTIONS = resolve(import.meta.dirname, '../../../../actions');
/** Commands that download what a runner lacks and this machine has. */
const FETCHED = ['npm ci', 'npx playwright install --with-deps chromium'];

interface Step {
  uses?: string;
  run?: string;
  if?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
  name?: string;
}

interface Action {
  inputs: Record<string, { default: string }>;
  runs: { using: string; steps: Step[] };
}

interface Ran {
  code: number;
  output: string;
}

class Runner {
  readonly env: Record<string, string>;
  readonly outputs: Record<string, string> = {};
  failed = false;

  constructor(
    private readonly folder: string,
    private readonly overrides: Record<string, Record<string, string>>,
    private readonly workspace = PROJECT,
  ) {
    for (const name of ['temp', 'home']) mkdirSync(join(folder, name), { recursive: true });
    const own = Object.entries(process.env).filter(
      ([name]) => !/^(TEST_|PW_|PLAYWRIGHT_|FORCE_COLOR|GASOLINE_)/.test(name),
    );
    this.env = {
      ...(Object.fromEntries(own) as Record<string, string>),
      NO_COLOR: '1',
      // Not the home of the user who runs the tests: a step without a state folder would write into it.
      HOME: join(folder, 'home'),
      RUNNER_TEMP: join(folder, 'temp'),
      GITHUB_ENV: this.file('env'),
      GITHUB_OUTPUT: this.file('output'),
      GITHUB_STEP_SUMMARY: this.file('summary'),
    };
  }

  file(name: string): string {
    const path = join(this.folder, name);
    if (!existsSync(path)) writeFileSync(path, '');
    return path;
  }

  async step(step: Step): Promise<Ran | undefined> {
    const due = { 'failure()': this.failed, '${{ !cancelled() }}': true }[step.if ?? ''] ?? !this.failed;
    if (!due) return undefined;
    const action = step.uses && /\/actions\/(\w+)@/.exec(step.uses)?.[1];
    if (action) return this.action(action, step.with ?? {});
    if (!step.run || FETCHED.includes(step.run)) return undefined;
    return this.shell(step.run, this.workspace, {});
  }

  private async action(name: string, given: Record<string, string>): Promise<Ran> {
    const { inputs, runs } = parse(readFileSync(join(ACTIONS, name, 'action.yml'), 'utf8')) as Action;
    expect(runs.using).toBe('composite');
    const values = {
      ...Object.fromEntries(Object.entries(inputs).map(([key, { default: value }]) => [key, value])),
      ...given,
      ...this.overrides[name],
    };
    for (const key of Object.keys(given)) expect(Object.keys(inputs), `${name} has an input ${key}`).toContain(key);
    let ran: Ran = { code: 0, output: '' };
    for (const step of runs.steps) {
      if (step.if === "inputs.binary == ''" && values.binary !== '') continue;
      expect(step.run, 'no input is inserted into a script').not.toContain('${{');
      const env = Object.fromEntries(
        Object.entries(step.env ?? {}).map(([key, value]) => [
          key,
          value.replace(/^\$\{\{ inputs\.(\S+) \}\}$/, (_, input) => values[input] ?? ''),
        ]),
      );
      ran = await this.shell(step.run ?? '', this.workspace, { ...env, GITHUB_ACTION_PATH: join(ACTIONS, name) });
      if (ran.code !== 0) break;
    }
    return ran;
  }

  private async shell(script: string, cwd: string, env: Record<string, string>): Promise<Ran> {
    const ran = await new Promise<Ran>((done) => {
      const shell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
      execFile(
        'bash',
        shell,
        { cwd, env: { ...this.env, ...env }, maxBuffer: 64 * 1_048_576 },
        (error, stdout, stderr) => done({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
      );
    });
    this.failed ||= ran.code !== 0;
    for (const line of readFileSync(this.file('env'), 'utf8').split('\n')) {
      const [name, ...value] = line.split('=');
      if (name) this.env[name] = value.join('=');
    }
    for (const line of readFileSync(this.file('output'), 'utf8').split('\n')) {
      const [name, ...value] = line.split('=');
      if (name) this.outputs[name] = value.join('=');
    }
    return ran;
  }
}

const shop = new Shop();
test.afterAll(() => shop.dispose());

test('the example workflow reports why a test failed', async () => {
  test.setTimeout(600_000);
  const report = join(shop.folder, 'gasoline-report.md');
  const runner = new Runner(join(shop.folder, 'runner'), {
    start: { binary: BINARY, port: '0' },
    report: { output: report },
  });
  Object.assign(runner.env, {
    SHOP_PORT: String(await freePort()),
    GASOLINE_CHROMIUM: headlessPath(),
    SHOP_REPORTER: JSON.stringify([['line']]),
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  });
  const workflow = parse(readFileSync(join(ACTIONS, 'example-workflow.yml'), 'utf8')) as {
    jobs: { test: { steps: Step[] } };
  };
  const ran: string[] = [];
  for (const step of workflow.jobs.test.steps) {
    const own = step.run === 'npx playwright test';
    const outcome = await runner.step(
      own
        ? { ...step, run: `${step.run} --grep "api 500|popup|passes 1$" --output "${join(shop.folder, 'results')}"` }
        : step,
    );
    if (!outcome) continue;
    ran.push(step.run ?? (step.uses as string).replace(/@.*/, ''));
    expect(outcome.code, `${ran.at(-1)}: ${outcome.output}`).toBe(own ? 1 : 0);
    if (ran.at(-1)?.endsWith('/start')) {
      expect(runner.outputs.port).toBe(runner.env.GASOLINE_PORT);
      expect(outcome.output).toContain(`::add-mask::${runner.outputs['ingest-token']}`);
      const health = await fetch(`http://127.0.0.1:${runner.env.GASOLINE_PORT}/health`);
      expect(await health.json()).toMatchObject({ service: 'gasoline' });
    }
  }
  expect(ran).toEqual([
    'gasoline-mcp/gasoline/actions/start',
    'npx playwright test',
    'gasoline-mcp/gasoline/actions/report',
  ]);
  const told = readFileSync(report, 'utf8');
  expect(told).toMatch(/## Test Failure: .*api 500/);
  expect(told).toContain('null pointer: user.address');
  expect(told).toContain('## Same cause in 2 tests');
  expect(readFileSync(runner.file('summary'), 'utf8')).toContain('| Cause | Confidence | Tests |');
  // The last thing that the report step does.
  const gone = () =>
    fetch(`http://127.0.0.1:${runner.env.GASOLINE_PORT}/health`).then(
      () => 'there',
      () => 'gone',
    );
  await expect.poll(gone).toBe('gone');
});

test('a missing binary is reported with a remedy', async () => {
  const runner = new Runner(join(shop.folder, 'without'), { start: { binary: '/nowhere/gasoline' } });
  const outcome = await runner.step({ uses: 'gasoline-mcp/gasoline/actions/start@v0.1.0' });
  expect(outcome).toMatchObject({ code: 1 });
  expect(outcome?.output).toContain('::error::There is no `/nowhere/gasoline`. Leave `binary` out');
});

const START = { uses: 'gasoline-mcp/gasoline/actions/start@v0.1.0' };
const REPORT = { uses: 'gasoline-mcp/gasoline/actions/report@v0.1.0' };

async function isThere(port: string | undefined): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    () => true,
    () => false,
  );
}

test('a token that is set stays, a relative binary is found from everywhere, and a failing report ends the server', async () => {
  const token = 'a'.repeat(64);
  const binary = relative(PROJECT, BINARY);
  expect(binary).toMatch(/^\.\./);
  const runner = new Runner(join(shop.folder, 'given'), {
    start: { binary, port: '0' },
    report: { input: '/nowhere/at/all', output: join(shop.folder, 'never.md') },
  });
  runner.env.GASOLINE_INGEST_TOKEN = token;
  delete runner.env.RUNNER_TEMP;
  runner.env.TMPDIR = shop.folder;
  const started = await runner.step(START);
  expect(started, started?.output).toMatchObject({ code: 0 });
  try {
    expect(runner.outputs['ingest-token']).toBe(token);
    expect(readFileSync(runner.file('env'), 'utf8')).toContain(`GASOLINE_INGEST_TOKEN=${token}\n`);
    expect(runner.env.GASOLINE_BINARY).toBe(realpathSync(BINARY));
    expect(runner.env.GASOLINE_STATE_DIR).toMatch(new RegExp(`^${shop.folder}/[^/]+/gasoline$`));
    expect(await isThere(runner.env.GASOLINE_PORT)).toBe(true);
    const reported = await runner.step(REPORT);
    expect(reported?.code).toBeGreaterThan(0);
    await expect.poll(() => isThere(runner.env.GASOLINE_PORT)).toBe(false);
  } finally {
    const pid = Number(runner.env.GASOLINE_SERVER_PID);
    if (await isThere(runner.env.GASOLINE_PORT)) process.kill(pid);
  }
});

test('the inputs of the report may be patterns, contain spaces, or look like options', async () => {
  const workspace = join(shop.folder, 'inputs');
  mkdirSync(join(workspace, 'two words'), { recursive: true });
  const record = (title: string, status: string) =>
    JSON.stringify({
      tests: [{ test_id: title, title, status, expected_status: 'passed', error: `why ${title}` }],
      logs: [],
      network_bodies: [],
    });
  writeFileSync(join(workspace, 'two words', 'a.json'), record('alpha', 'failed'));
  writeFileSync(join(workspace, 'two words', 'b.json'), record('beta', 'failed'));
  writeFileSync(join(workspace, '-x.json'), record('gamma', 'failed'));
  writeFileSync(join(workspace, 'green.json'), record('delta', 'passed'));
  const report = async (name: string, input: string) => {
    const given = { input, output: `made/here/${name}.md`, format: 'text' };
    const runner = new Runner(join(shop.folder, name), { report: given }, workspace);
    runner.env.GASOLINE_BINARY = BINARY;
    runner.env.GASOLINE_PORT = String(await freePort());
    const outcome = await runner.step(REPORT);
    const path = join(workspace, given.output);
    return {
      ...outcome,
      told: existsSync(path) ? readFileSync(path, 'utf8') : '',
      summary: readFileSync(runner.file('summary'), 'utf8'),
    };
  };
  const all = await report('all', '  two words/*.json \r\n\n-x.json\n');
  expect(all, all.output).toMatchObject({ code: 0 });
  for (const title of ['alpha', 'beta', 'gamma']) expect(all.told).toContain(title);
  expect(all.summary).toContain('alpha');

  const green = await report('green', 'green.json');
  expect(green, green.output).toMatchObject({ code: 0, summary: '' });
  expect(green.told).not.toBe('');

  const run = await report('run', '$(touch made-by-input)');
  expect(run.code).toBeGreaterThan(0);
  expect(existsSync(join(workspace, 'made-by-input'))).toBe(false);

  // Only blank lines: the report asks the server, and there is none.
  const blank = await report('blank', ' \r\n\n');
  expect(blank.code).toBeGreaterThan(0);
  expect(blank.output).toContain('no Gasoline server is running');
});

test('every third-party action is pinned to a commit', () => {
  const { steps } = (
    parse(readFileSync(join(ACTIONS, 'example-workflow.yml'), 'utf8')) as { jobs: { test: { steps: Step[] } } }
  ).jobs.test;
  const others = steps.flatMap(({ uses }) => (uses && !uses.startsWith('gasoline-mcp/') ? [uses] : []));
  expect(others.length).toBeGreaterThan(0);
  for (const uses of others) expect(uses).toMatch(/@[0-9a-f]{40}$/);
});
