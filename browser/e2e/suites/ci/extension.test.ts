// Follows `docs/ci.md` on the extension in a pipeline word for word: headless, and with a window on a virtual screen.

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import type { Answer } from '../../support/agent';
import { chromiumPath, QUIET_FLAGS } from '../../support/chromium';
import { block } from '../../support/docs';
import { BINARY, Gasoline } from '../../support/gasoline';
import { Site } from '../../support/site';

const SPEC = `import { expect, test } from './extension';
test('breaks', async ({ page }) => {
  await page.goto(process.env.SITE);
  await page.evaluate(() => void setTimeout(() => { throw new Error('seen by the extension, ' + innerWidth); }));
  await expect(page.locator('body')).toBeVisible();
});
`;

const test = base.extend<{ gasoline: Gasoline; site: Site; project: string }>({
  gasoline: async ({}, use) => {
    const gasoline = await new Gasoline().start();
    await use(gasoline);
    await gasoline.dispose();
  },
  site: async ({}, use) => {
    const site = await Site.open(import.meta.dirname);
    await use(site);
    await site.close();
  },
  // Inside the package, so that the files resolve `@playwright/test`.
  project: async ({}, use) => {
    const folder = mkdtempSync(join(import.meta.dirname, '../../support/generated-'));
    const launchOptions = { executablePath: chromiumPath(), args: QUIET_FLAGS };
    const config = { testDir: '.', testMatch: '*.spec.ts', reporter: 'line', use: { launchOptions } };
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    writeFileSync(join(folder, 'extension.ts'), block('launchPersistentContext('));
    writeFileSync(join(folder, 'breaks.spec.ts'), SPEC);
    writeFileSync(join(folder, 'playwright.config.ts'), `export default ${JSON.stringify(config)};`);
    mkdirSync(join(folder, 'bin'));
    symlinkSync(BINARY, join(folder, 'bin/gasoline'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
});

/** Runs the lines of the docs' shell blocks, except the one for the server, which is already running. */
async function shell(project: string, gasoline: Gasoline, site: Site, lines: string[]): Promise<string> {
  const own = Object.entries(gasoline.env).filter(([name]) => !/^(TEST_|PW_|PLAYWRIGHT_|FORCE_COLOR)/.test(name));
  const env = {
    ...Object.fromEntries(own),
    SITE: site.url(),
    PATH: `${project}/bin:${process.env.PATH}`,
    NO_COLOR: '1',
  };
  return new Promise((done, failed) => {
    execFile('bash', ['-ec', lines.join('\n')], { cwd: project, env, timeout: 240_000 }, (error, stdout, stderr) => {
      if (error) failed(new Error(stdout + stderr));
      else done(stdout + stderr);
    });
  });
}

function linesOf(code: string): string[] {
  return code.split('\n').filter((line) => line !== '' && !line.startsWith('gasoline serve '));
}

async function expectSeen(gasoline: Gasoline): Promise<void> {
  const messages = async () => (await gasoline.get<Answer>('/snapshot')).logs.map(({ message }: Answer) => message);
  await expect.poll(messages).toEqual([expect.stringMatching(/^(Uncaught Error: )?seen by the extension, \d+$/)]);
}

test('the extension captures in a headless browser', async ({ gasoline, site, project }) => {
  expect(await shell(project, gasoline, site, linesOf(block('gasoline extension --out')))).toContain('1 passed');
  await expectSeen(gasoline);
});

test('the extension captures in a window on a virtual screen', async ({ gasoline, site, project }) => {
  const hasScreen = (() => {
    try {
      return execFileSync('which', ['Xvfb', 'xvfb-run']).length > 0;
    } catch {
      return false;
    }
  })();
  test.skip(!hasScreen, 'needs Xvfb, of the package xvfb');
  const lines = linesOf(block('gasoline extension --out')).filter((line) => !line.startsWith('npx '));
  const output = await shell(project, gasoline, site, [...lines, ...linesOf(block('xvfb-run'))]);
  expect(output).toContain('1 passed');
  await expectSeen(gasoline);
});
