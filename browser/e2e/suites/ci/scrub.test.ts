// A trace that Playwright recorded, scrubbed by the binary and opened in Playwright's own viewer.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium, expect, test } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { headlessPath, QUIET_FLAGS } from '../../support/chromium';
import { BINARY } from '../../support/gasoline';
import { Site } from '../../support/site';

const VIEWER = join(
  dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')),
  'lib/vite/traceViewer',
);
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
const SECRETS = [
  'correct-horse-battery',
  'session-drawn-1234567',
  'k-123456789012345',
  'local-5566778899',
  'keyboard of horses',
  'expected of horses',
  'in a function',
  JWT,
];

const PAGE = `<!doctype html><title>Sign in</title><h1>Sign in</h1>
  <form><input id="user"><input id="secret" type="password"><button>Go</button></form><p id="out"></p><script>
  document.querySelector('form').onsubmit = async (event) => {
    event.preventDefault();
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ user: user.value, password: secret.value }) };
    const { token } = await (await fetch('/api/login', post)).json();
    localStorage.setItem('access_token', token);
    console.log('signed in with', token);
    await fetch('/api/me?key=k-123456789012345', { headers: { authorization: 'Bearer ' + token } });
    out.textContent = 'Welcome';
  };</script>`;

test('a scrubbed trace has no credential and opens in the viewer', async ({}, info) => {
  const app = await Site.open(import.meta.dirname);
  app.routes.set('/', (_, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  app.routes.set('/api/login', (_, response) => {
    response.setHeader('set-cookie', 'session=session-drawn-1234567; HttpOnly; Path=/');
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ token: JWT, name: 'Ann' }));
  });
  app.routes.set('/api/me', (_, response) => response.setHeader('content-type', 'application/json').end('{"ok":true}'));
  const browser = await chromium.launch({ executablePath: headlessPath(), args: QUIET_FLAGS });
  const path = info.outputPath('trace.zip');
  try {
    const context = await browser.newContext({
      extraHTTPHeaders: { 'x-api-key': 'k-123456789012345' },
      storageState: {
        cookies: [],
        origins: [
          { origin: app.url('').slice(0, -1), localStorage: [{ name: 'refresh_token', value: 'local-5566778899' }] },
        ],
      },
    });
    await context.tracing.start({ screenshots: true, snapshots: true });
    const page = await context.newPage();
    await page.goto(app.url());
    await page.fill('#user', 'ann');
    await page.evaluate("new FormData().append('password', 'in a function')");
    await page.focus('#secret');
    await page.keyboard.insertText('keyboard of horses');
    await page.fill('#secret', 'correct-horse-battery');
    await expect(expect(page.locator('#secret')).toHaveValue('expected of horses', { timeout: 1 })).rejects.toThrow();
    await page.click('button');
    await page.getByText('Welcome').waitFor();
    await context.storageState();
    await context.tracing.stop({ path });
    await context.close();

    expect(leaked(path), 'the trace contains the secrets before it is scrubbed').toEqual(SECRETS);
    const told = execFileSync(BINARY, ['scrub', path], { encoding: 'utf8' });
    expect(told).toMatch(/removed .* from \d+ files; \d+ screenshots were kept/);
    expect(leaked(path)).toEqual([]);

    const viewer = await Site.open(VIEWER);
    viewer.routes.set('/trace.zip', (_, response) =>
      response.setHeader('content-type', 'application/zip').end(readFileSync(path)),
    );
    const looking = await browser.newPage();
    await looking.goto(viewer.url(`/index.html?trace=${encodeURIComponent(viewer.url('/trace.zip'))}`));
    const actions = looking.getByTestId('actions-tree');
    await expect(actions.getByText('Navigate')).toBeVisible();
    await expect(actions.getByText('Click')).toBeVisible();
    await expect(actions.getByText('#secret'), 'focus, fill and expect').toHaveCount(3);
    await looking.getByRole('tab', { name: 'Network' }).click();
    await expect(looking.getByText('login', { exact: true })).toBeVisible();
    expect(await looking.content()).not.toContain('correct-horse-battery');
    await looking.screenshot({ path: info.outputPath('viewer.png') });
    await viewer.close();
  } finally {
    await browser.close();
    await app.close();
  }
});

/** Returns the secrets that occur in any file of the trace. */
function leaked(path: string): string[] {
  const text = Object.values(unzipSync(readFileSync(path)))
    .map((bytes) => strFromU8(bytes, true))
    .join('\n');
  return SECRETS.filter((secret) => text.includes(secret));
}
