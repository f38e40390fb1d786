// The example workflow, as far as it runs on this machine: its own shell steps and those of the two actions, in order,
// with the files through which a runner's steps talk to each other.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { chromiumPath } from '../../support/chromium';
import { BINARY } from '../../support/gasoline';
import { freePort, PROJECT, Shop } from '../../support/shop';

const ACTIONS = resolve(import.meta.dirname, '../../../../actions');
/** What a runner has to fetch, and this machine has. */
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
  ) {
    mkdirSync(join(folder, 'temp'), { recursive: true });
    const own = Object.entries(process.env).filter(
      ([name]) => !/^(TEST_|PW_|PLAYWRIGHT_|FORCE_COLOR|GASOLINE_)/.test(name),
    );
    this.env = {
      ...(Object.fromEntries(own) as Record<string, string>),
      NO_COLOR: '1',
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
    if (step.if === 'failure()' ? !this.failed : this.failed) return undefined;
    const action = step.uses && /\/actions\/(\w+)@/.exec(step.uses)?.[1];
    if (action) return this.action(action, step.with ?? {});
    if (!step.run || FETCHED.includes(step.run)) return undefined;
    return this.shell(step.run, PROJECT, {});
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
      expect(step.run, 'nothing of an input is put into a script').not.toContain('${{');
      const env = Object.fromEntries(
        Object.entries(step.env ?? {}).map(([key, value]) => [
          key,
          value.replace(/^\$\{\{ inputs\.(\S+) \}\}$/, (_, input) => values[input] ?? ''),
        ]),
      );
      ran = await this.shell(step.run ?? '', PROJECT, { ...env, GITHUB_ACTION_PATH: join(ACTIONS, name) });
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

test('the example workflow tells why a test failed', async () => {
  test.setTimeout(120_000);
  const report = join(shop.folder, 'gasoline-report.md');
  const runner = new Runner(join(shop.folder, 'runner'), {
    start: { binary: BINARY, port: '0' },
    report: { output: report },
  });
  Object.assign(runner.env, {
    SHOP_PORT: String(await freePort()),
    GASOLINE_CHROMIUM: chromiumPath(),
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
  // The report's last deed.
  const gone = () =>
    fetch(`http://127.0.0.1:${runner.env.GASOLINE_PORT}/health`).then(
      () => 'there',
      () => 'gone',
    );
  await expect.poll(gone).toBe('gone');
});

test('a binary that is not there is told, with what to do', async () => {
  const runner = new Runner(join(shop.folder, 'without'), { start: { binary: '/nowhere/gasoline' } });
  const outcome = await runner.step({ uses: 'gasoline-mcp/gasoline/actions/start@v0.1.0' });
  expect(outcome).toMatchObject({ code: 1 });
  expect(outcome?.output).toContain('::error::There is no `/nowhere/gasoline`. Leave `binary` out');
});

test('every action of others is pinned to a commit', () => {
  const { steps } = (
    parse(readFileSync(join(ACTIONS, 'example-workflow.yml'), 'utf8')) as { jobs: { test: { steps: Step[] } } }
  ).jobs.test;
  const others = steps.flatMap(({ uses }) => (uses && !uses.startsWith('gasoline-mcp/') ? [uses] : []));
  expect(others.length).toBeGreaterThan(0);
  for (const uses of others) expect(uses).toMatch(/@[0-9a-f]{40}$/);
});
