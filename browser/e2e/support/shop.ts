// Runs the Playwright project in `fixtures/playwright-project` as a pipeline would, and reads what it leaves behind.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { headlessPath } from './chromium';
import { ownEnvironment } from './example';
import { freePort } from './free-port.mjs';
import { BINARY } from './gasoline';
import { temporaryFolder } from './temporary';

const RUNNER = createRequire(import.meta.url).resolve('@playwright/test/cli');
export const PROJECT = resolve(import.meta.dirname, '../../../fixtures/playwright-project');

export interface Attached {
  name: string;
  text: string;
}

export interface Attempt {
  title: string;
  status: string;
  retry: number;
  startTime: string;
  /** In milliseconds. */
  duration: number;
  attachments: Attached[];
}

export interface ShopRun {
  code: number;
  output: string;
  attempts: Attempt[];
  /** The folder with everything that the run wrote: test results, reports, the state directory. */
  folder: string;
}

interface JsonResult {
  status: string;
  retry: number;
  startTime: string;
  duration: number;
  attachments: Array<{ name: string; path?: string; body?: string }>;
}
interface JsonSuite {
  title: string;
  suites?: JsonSuite[];
  specs?: Array<{ title: string; tests: Array<{ results: JsonResult[] }> }>;
}

export class Shop {
  readonly folder = temporaryFolder('shop');
  readonly state = join(this.folder, 'state');

  /** Runs the tests once and reads the JSON report; `env` and `args` are added. */
  async run(args: string[] = [], env: Record<string, string> = {}): Promise<ShopRun> {
    const json = join(this.folder, `report-${Math.random().toString(36).slice(2)}.json`);
    const { code, output } = await this.command(['test', '--output', join(this.folder, 'results'), ...args], {
      SHOP_REPORTER: JSON.stringify([['line'], ['json', { outputFile: json }]]),
      ...env,
    });
    return { code, output, attempts: readReport(json), folder: this.folder };
  }

  async command(args: string[], env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
    const all = {
      ...ownEnvironment(),
      GASOLINE_BINARY: BINARY,
      GASOLINE_STATE_DIR: this.state,
      GASOLINE_PORT: '0',
      GASOLINE_CHROMIUM: headlessPath(),
      SHOP_PORT: String(await freePort()),
      ...env,
    };
    return new Promise((done) => {
      execFile(
        process.execPath,
        [RUNNER, ...args],
        { cwd: PROJECT, env: all, maxBuffer: 64 * 1_048_576 },
        (error, stdout, stderr) => done({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
      );
    });
  }

  dispose(): void {
    // The run's server may still be writing its last lines.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}

export function readReport(path: string): Attempt[] {
  const attempts: Attempt[] = [];
  const visit = (suite: JsonSuite) => {
    for (const { title, tests } of suite.specs ?? []) {
      for (const { status, retry, startTime, duration, attachments } of tests.flatMap(({ results }) => results)) {
        attempts.push({ title, status, retry, startTime, duration, attachments: attachments.map(readAttachment) });
      }
    }
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of (JSON.parse(readFileSync(path, 'utf8')) as { suites: JsonSuite[] }).suites) visit(suite);
  return attempts;
}

function readAttachment({ name, path, body }: JsonResult['attachments'][number]): Attached {
  return { name, text: path ? readFileSync(path, 'utf8') : Buffer.from(body ?? '', 'base64').toString('utf8') };
}

/** All files of a folder, with their contents. */
export function filesIn(folder: string): Array<{ path: string; text: string }> {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ path, text: readFileSync(path, 'latin1') }));
}
