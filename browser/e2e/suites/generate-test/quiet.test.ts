// A page that does nothing while it loads: what it shows then belongs to it all the same.

import type { Answer } from '../../support/agent';
import { expect, test } from '../../support/test';

test('the heading of a quiet first page is checked in the first step', async ({ page, site, agent, gasoline }) => {
  site.routes.set('/', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Sign in</h1><button>Go</button>'),
  );
  await page.goto(site.url());
  // What it shows is known before anything is done.
  const shown = async () => JSON.stringify((await gasoline.get<Answer>('/snapshot')).dom_snapshots ?? []);
  await expect.poll(shown).toContain('Sign in');
  await page.getByRole('button', { name: 'Go' }).click();
  await expect
    .poll(async () => (await agent.call('get_enhanced_actions')).total, { timeout: 10_000 })
    .toBeGreaterThan(0);
  const { test_script: script } = await agent.call('generate_test');
  const [first = ''] = script.split('Step 2');
  expect(first).toContain('Sign in');
});
