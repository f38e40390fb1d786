// Runs a generated script as a developer would: in a file, with Playwright's own runner, in a browser without the
// extension.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { headlessPath, QUIET_FLAGS } from './chromium';

const RUNNER = createRequire(import.meta.url).resolve('@playwright/test/cli');

export interface Run {
  passed: boolean;
  output: string;
}

export interface RunOptions {
  /** Additional files beside the script, by name. */
  files?: Record<string, string>;
  /** Only tests whose title matches. */
  only?: string;
  /** Skip tests whose title matches. */
  without?: string;
  updateSnapshots?: boolean;
}

export async function runScript(
  script: string,
  { files = {}, only, without, updateSnapshots }: RunOptions = {},
): Promise<Run> {
  // Inside the package, so that the script finds `@playwright/test`.
  const folder = mkdtempSync(join(import.meta.dirname, 'generated-'));
  const launchOptions = { executablePath: headlessPath(), args: QUIET_FLAGS };
  writeFileSync(join(folder, 'generated.spec.js'), script);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(
    join(folder, 'playwright.config.mjs'),
    `export default ${JSON.stringify({
      testDir: '.',
      testMatch: '*.spec.js',
      outputDir: './results',
      reporter: 'line',
      timeout: 60_000,
      expect: { timeout: 10_000 },
      use: { launchOptions, headless: true, actionTimeout: 15_000 },
    })}`,
  );
  // The outer runner's variables would make the inner one believe that it is a worker.
  const own = Object.entries(process.env).filter(([name]) => !/^(TEST_|PW_|PLAYWRIGHT_|FORCE_COLOR)/.test(name));
  const env = { ...Object.fromEntries(own), NO_COLOR: '1' };
  try {
    return await new Promise((done) => {
      const args = [RUNNER, 'test', '--config', join(folder, 'playwright.config.mjs')];
      if (only) args.push('--grep', only);
      if (updateSnapshots) args.push('--update-snapshots');
      if (without) args.push('--grep-invert', without);
      execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) => {
        done({ passed: error === null, output: stdout + stderr });
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
