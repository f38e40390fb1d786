// The examples for runners other than Playwright: a failed test is reported with its cause.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test as base, expect } from '@playwright/test';
import type { Answer } from '../../support/agent';
import { chromiumPath, headlessPath } from '../../support/chromium';
import { block } from '../../support/docs';
import { exampleFolder, installExample, ownEnvironment } from '../../support/example';
import { BINARY, Gasoline } from '../../support/gasoline';
import { onPath } from '../../support/on-path';
import { Site } from '../../support/site';

const TOKEN = 'ingest-token-of-these-tests-0123456789abcdef';

const test = base.extend<{ gasoline: Gasoline }>({
  gasoline: async ({}, use) => {
    const gasoline = await new Gasoline().start(['--ci'], { GASOLINE_INGEST_TOKEN: TOKEN });
    await use(gasoline);
    await gasoline.dispose();
  },
});

interface Ended {
  code: number;
  output: string;
}

function run(program: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((done) => {
    execFile(program, args, { cwd, env, maxBuffer: 64 * 1_048_576 }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
}

/** Checks the output of `gasoline report` for the two tests of an example, once all data has arrived. */
async function expectReport(gasoline: Gasoline): Promise<void> {
  let report: Answer = {};
  let failed: Answer = {};
  const errors = async () => {
    const args = ['report', '--port', String(gasoline.port), '--format', 'json'];
    const { output } = await run(BINARY, args, gasoline.state, gasoline.env);
    report = JSON.parse(output);
    failed = report.tests.find(({ title }: Answer) => title === 'shows the total') ?? {};
    return failed.errors?.length;
  };
  await expect.poll(errors).toBe(1);
  expect(report.summary).toMatchObject({ tests: 2, passed: 1, failed: 1 });
  expect(failed.status).toBe('fail');
  expect(failed.runner_error).toContain('the total was not shown');
  expect(failed.errors[0].message).toContain("Cannot read properties of undefined (reading 'amount')");
  expect(failed.cause).toMatchObject({ confidence: 'high' });
  expect(JSON.stringify(failed.cause)).toContain('GET /api/quote');
  expect(failed.network_failures[0].response).toContain('the price list of this season is empty');
}

test('the WebdriverIO example reports the cause of a failure', async ({ gasoline }) => {
  const driver = onPath('chromedriver');
  test.skip(!driver, 'needs chromedriver, of the package chromium-driver');
  const problem = installExample('webdriverio');
  test.skip(problem !== undefined, problem);
  const { code, output } = await run('npm', ['test'], exampleFolder('webdriverio'), {
    ...ownEnvironment(),
    GASOLINE_PORT: String(gasoline.port),
    GASOLINE_INGEST_TOKEN: TOKEN,
    CHROME_PATH: chromiumPath(),
    CHROMEDRIVER_PATH: driver,
  });
  expect(output).toContain('the total was not shown');
  expect(output).not.toContain('Error in "shop.offers help"');
  expect(code, output).toBe(1);
  await expectReport(gasoline);
});

// Installing Cypress downloads a program, which tests here cannot do. So a page plays its part and does what Cypress
// does with a page under test: a frame whose first script calls the listeners of `window:before:load`.
const STAND_IN = `<!doctype html><iframe></iframe><script>
  const hooks = { beforeEach: [], afterEach: [] };
  const listeners = {};
  window.Cypress = {
    on: (name, listener) => { listeners[name] = listener; },
    action: (name, frame) => listeners[name](frame),
  };
  window.beforeEach = (hook) => hooks.beforeEach.push(hook);
  window.afterEach = (hook) => hooks.afterEach.push(hook);
  let queue = Promise.resolve();
  window.cy = {
    task(name, argument) {
      let answer;
      queue = queue.then(() => task(name, argument)).then((value) => { answer = value; });
      return { then: (next) => { queue = queue.then(() => next(answer)); } };
    },
  };
  async function hook(name, context) {
    for (const one of hooks[name]) one.call(context);
    await queue;
  }
  async function runTest(title, button, state, message) {
    Cypress.currentTest = { title, titlePath: ['shop', title] };
    await hook('beforeEach', {});
    const frame = document.querySelector('iframe');
    await new Promise((loaded) => { frame.onload = loaded; frame.src = '/shop'; });
    frame.contentDocument.querySelector(button).click();
    await ended(button);
    await hook('afterEach', { currentTest: { state, err: message && { message } } });
  }
</script><script src="/support.js"></script>`;

test('the Cypress example reports the cause of a failure, with a stand-in for Cypress', async ({
  gasoline,
  playwright,
}) => {
  const folder = exampleFolder('cypress');
  process.env.GASOLINE_PORT = String(gasoline.port);
  process.env.GASOLINE_INGEST_TOKEN = TOKEN;
  const { tasks } = await import(pathToFileURL(join(folder, 'gasoline.mjs')).href);
  const { openShop } = await import(pathToFileURL(join(folder, '../shop.mjs')).href);
  const shop = await openShop();
  const origin = `http://localhost:${shop.address().port}`;
  const site = await Site.open(folder);
  const html = { 'Content-Type': 'text/html' };
  site.routes.set('/runner', (_, response) => response.writeHead(200, html).end(STAND_IN));
  site.routes.set('/support.js', (_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/javascript' })
      .end(readFileSync(join(folder, 'cypress/support/e2e.js'))),
  );
  site.routes.set('/shop', async (_, response) => {
    const before = `<script>parent.Cypress.action('window:before:load', window)</script>`;
    response.writeHead(200, html).end((await (await fetch(origin)).text()).replace('<title>', `${before}<title>`));
  });
  site.routes.set('/api/quote', async (_, response) => {
    const answer = await fetch(`${origin}/api/quote`);
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
  });
  const browser = await playwright.chromium.launch({ executablePath: headlessPath(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.exposeFunction('task', (name: string, argument: unknown) => tasks[name](argument));
    const shown = (text: string) => expect(page.frameLocator('iframe').getByRole('status')).toHaveText(text);
    const thrown = page.waitForEvent('pageerror');
    await page.exposeFunction('ended', (button: string) =>
      button === '#help' ? shown('Call us') : thrown.then(() => {}),
    );
    await page.goto(site.url('/runner'));
    await page.evaluate(`runTest('offers help', '#help', 'passed')`);
    await page.evaluate(`runTest('shows the total', '#checkout', 'failed', 'the total was not shown')`);
    await expectReport(gasoline);
  } finally {
    await browser.close();
    await site.close();
    shop.close();
  }
});

test('docs/ci.md shows the files of the examples', () => {
  for (const path of ['webdriverio/gasoline.mjs', 'cypress/gasoline.mjs', 'cypress/cypress/support/e2e.js']) {
    const file = exampleFolder(path);
    expect(existsSync(file), path).toBe(true);
    const code = readFileSync(file, 'utf8');
    expect(block(code.split('\n')[0] as string).trim(), path).toBe(code.trim());
  }
});
