// The whole loop: a bug is seen, the source is changed, the scenario is repeated, and the verdict is right.

import type { Page } from '@playwright/test';
import type { Answer } from '../../support/agent';
import { json, type Site } from '../../support/site';
import { expect, test } from '../../support/test';
import { App } from '../../support/vite';

const WORKING = 'setCount(count + 1)';
const BROKEN = 'setCount(count.value.next)';

type Eventually = (tool: string, args: Record<string, unknown>, fits: (answer: Answer) => boolean) => Promise<Answer>;

const sees = (message: string) => (answer: Answer) =>
  (answer.errors as Answer[]).some((error) => error.message.includes(message));

/** Returns the verdict once the entries have arrived. */
async function compare(eventually: Eventually, id: string, fits: (result: Answer) => boolean): Promise<Answer> {
  const { result } = await eventually('verify_fix', { action: 'compare', session_id: id }, ({ result }) =>
    fits(result),
  );
  return result;
}

for (const { name, code, works, expected } of [
  {
    name: 'a change that fixes it',
    code: WORKING,
    works: true,
    expected: { verdict: 'fixed', changes: ['resolved'], new_issues: [] },
  },
  {
    name: 'a change that breaks something else',
    code: '{ setCount(count + 1); announce(count); }',
    works: true,
    expected: { verdict: 'different_issue', changes: ['resolved'], new_issues: ['announce is not defined'] },
  },
  {
    name: 'a change that changes nothing',
    code: 'setCount(count.value.next + 1)',
    works: false,
    expected: { verdict: 'unchanged', changes: ['unchanged'], new_issues: [] },
  },
]) {
  test(`${name}: the verdict is ${expected.verdict}`, async ({ page, agent, gasoline, eventually }) => {
    const app = await App.start('react');
    try {
      app.edit('src/App.jsx', WORKING, BROKEN);
      const load = async () => JSON.stringify((await gasoline.get<Answer>('/performance-snapshot?url=/')).snapshot);
      const earlier = await load();
      await page.goto(app.url());
      const counter = page.getByRole('button', { name: 'count' });
      await counter.click();
      await eventually('get_browser_errors', { url: app.url() }, sees("reading 'next'"));
      // The load counts as use of the page, and is reported late.
      await expect.poll(load, { timeout: 60_000 }).not.toBe(earlier);

      const started = await agent.call('verify_fix', { action: 'start', label: name, url: app.url() });
      expect(started.baseline).toMatchObject({ console_errors: 1, network_errors: 0 });
      const id: string = started.session_id;

      app.edit('src/App.jsx', BROKEN, code);
      await eventually('get_browser_errors', { url: app.url() }, ({ errors }) => errors[0]?.since_update === 'gone');
      await agent.call('verify_fix', { action: 'watch', session_id: id });
      const early = await agent.call('verify_fix', { action: 'compare', session_id: id });
      expect(early.result.confidence).toBe('none');
      expect(early.hint).toContain('repeat the scenario');

      await counter.click();
      if (works) await expect(counter).toHaveText('count 1');
      // An error counts as gone only a second after its trigger.
      const settled = ({ confidence, new_issues, after, not_exercised }: Answer) =>
        confidence !== 'none' &&
        !not_exercised &&
        new_issues.length === expected.new_issues.length &&
        (works || after.total_issues > 0);
      const result = await compare(eventually, id, settled);
      expect(result).toMatchObject({ verdict: expected.verdict, confidence: 'high' });
      expect((result.changes as Answer[]).map(({ type }) => type)).toEqual(expected.changes);
      expect((result.new_issues as Answer[]).map(({ after }) => after).join()).toContain(expected.new_issues.join());
      expect(result.before.total_issues).toBe(1);

      // No more entries arrive, and the comparison can be repeated.
      await page.waitForTimeout(1_500);
      expect((await compare(eventually, id, () => true)).verdict).toBe(expected.verdict);
      await agent.call('verify_fix', { action: 'cancel', session_id: id });
    } finally {
      await app.close();
    }
  });
}

/** A login whose server and script can be replaced. */
function login(site: Site): { script: string; status: number } {
  const app = { script: '', status: 500 };
  site.routes.set('/login.js', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' }).end(app.script),
  );
  site.routes.set('POST /api/login', (_, response) => json(response, { user: { name: 'Ada' } }, app.status));
  app.script = `
    document.querySelector('#login').addEventListener('click', async () => {
      const response = await fetch('/api/login?attempt=' + Date.now(), { method: 'POST', body: '{}' });
      if (!response.ok) throw new Error('Login failed after ' + Math.round(performance.now()) + ' ms');
      document.querySelector('output').textContent = 'welcome';
    });`;
  return app;
}

const logIn = (page: Page) => page.getByRole('button', { name: 'Log in' }).click();

test('a failed request counts as fixed once it was repeated and succeeded', async ({
  page,
  site,
  agent,
  eventually,
}) => {
  const app = login(site);
  await page.goto(site.url());
  await logIn(page);
  await eventually('get_browser_errors', { url: site.url() }, ({ total }) => total === 2);
  const { session_id: id, baseline } = await agent.call('verify_fix', { action: 'start', url: site.url() });
  expect(baseline).toMatchObject({ console_errors: 1, network_errors: 1, page_url: site.url() });

  // The page is opened again, but nobody logs in: that proves nothing.
  app.status = 200;
  await agent.call('verify_fix', { action: 'watch', session_id: id });
  await page.reload();
  const { result: reloaded, hint } = await eventually(
    'verify_fix',
    { action: 'compare', session_id: id },
    ({ result }) => result.confidence !== 'none',
  );
  expect(reloaded).toMatchObject({ verdict: 'unchanged', confidence: 'low', changes: [] });
  expect(reloaded.not_exercised).toMatchObject([
    { category: 'console', after: '(not seen)', repeat: expect.stringContaining('click button "Log in"') },
    { category: 'network', before: 'POST /api/login → 500', after: '(not called)' },
  ]);
  expect(hint).toContain('click button "Log in"');

  await logIn(page);
  await expect(page.locator('output')).toHaveText('welcome');
  const result = await compare(eventually, id, ({ not_exercised }) => !not_exercised);
  expect(result).toMatchObject({ verdict: 'fixed', confidence: 'high', after: { total_issues: 0 } });
  expect((result.changes as Answer[]).map(({ after }) => after)).toEqual(['(not seen)', 'POST /api/login → 200']);
  await agent.call('verify_fix', { action: 'cancel', session_id: id });
});

test('the answer says when a page was not reloaded and still runs the old code', async ({
  page,
  site,
  agent,
  eventually,
}) => {
  const app = login(site);
  await page.goto(site.url());
  await logIn(page);
  await eventually('get_browser_errors', { url: site.url() }, ({ total }) => total === 2);
  const { session_id: id } = await agent.call('verify_fix', { action: 'start', url: site.url() });
  app.script = app.script.replace('if (!response.ok) throw', 'if (response.status === 418) throw');
  app.status = 401;
  await agent.call('verify_fix', { action: 'watch', session_id: id });
  await logIn(page);
  const stale = await compare(eventually, id, ({ after }) => after.total_issues === 2);
  expect(stale).toMatchObject({ verdict: 'unchanged', confidence: 'low' });
  expect(stale.warnings.join()).toContain('may still run the old code');
  expect((stale.changes as Answer[]).find(({ category }) => category === 'network')).toMatchObject({
    type: 'changed',
    before: 'POST /api/login → 500',
    after: 'POST /api/login → 401',
  });

  await page.reload();
  await agent.call('verify_fix', { action: 'watch', session_id: id });
  await logIn(page);
  const isWhole = ({ after, not_exercised }: Answer) => after.network_errors === 1 && !not_exercised;
  const fresh = await compare(eventually, id, isWhole);
  expect(fresh).toMatchObject({ verdict: 'improved', confidence: 'high', after: { console_errors: 0 } });
  await agent.call('verify_fix', { action: 'cancel', session_id: id });
});

test('two states of an app are compared by name', async ({ page, site, agent, gasoline, eventually }) => {
  const app = login(site);
  // Entries of other tests may still be arriving.
  const capture = (name: string) => agent.call('diff_sessions', { action: 'capture', name, url: site.url() });
  app.status = 200;
  await page.goto(site.url());
  await logIn(page);
  await eventually('get_network_bodies', { url: site.url() }, ({ total }) => total === 1);
  // A snapshot proves that something did not happen only after enough time: an error comes within a second of its
  // click.
  const loggedIn = Date.now();
  await expect.poll(() => Date.now() - loggedIn, { timeout: 60_000 }).toBeGreaterThan(4_000);
  await expect.poll(async () => (await capture('good')).snapshot.performance).toBeTruthy();
  const { snapshot } = await capture('good');
  expect(snapshot).toMatchObject({ console_errors: 0, network_requests: 1, unique_endpoints: 1, page_url: site.url() });

  await gasoline.post('/clear');
  app.status = 503;
  await logIn(page);
  await eventually('get_browser_errors', { url: site.url() }, ({ total }) => total === 2);
  const { diff, summary } = await agent.call('diff_sessions', { action: 'compare', compare_a: 'good' });
  expect(summary).toMatchObject({ verdict: 'regressed', new_errors: 1, new_network_errors: 1, resolved_errors: 0 });
  expect(diff.network.new_errors).toEqual([{ method: 'POST', url: '/api/login', status: 503 }]);
  expect(diff.network.status_changes).toMatchObject([{ method: 'POST', url: '/api/login', before: 200, after: 503 }]);
  await capture('bad');
  const back = await agent.call('diff_sessions', { action: 'compare', compare_a: 'bad', compare_b: 'good' });
  expect(back.summary).toMatchObject({ verdict: 'improved', resolved_errors: 2 });
  for (const name of ['good', 'bad']) await agent.call('diff_sessions', { action: 'delete', name });
});
