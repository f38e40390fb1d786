// A page that does nothing while it loads still gets a snapshot.

import type { Answer } from '../../support/agent';
import { expect, test } from '../../support/test';

test('the heading of a quiet first page is checked in the first step', async ({ page, site, agent, gasoline }) => {
  site.routes.set('/', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Sign in</h1><button>Go</button>'),
  );
  await page.goto(site.url());
  // The snapshot arrives before any action.
  const shown = async () => JSON.stringify((await gasoline.get<Answer>('/snapshot')).dom_snapshots ?? []);
  await expect.poll(shown).toContain('Sign in');
  await page.getByRole('button', { name: 'Go' }).click();
  await expect
    .poll(async () => (await agent.call('get_enhanced_actions')).total, { timeout: 60_000 })
    .toBeGreaterThan(0);
  const { test_script: script } = await agent.call('generate_test');
  const [first = ''] = script.split('Step 2');
  expect(first).toContain('Sign in');
});

test('changes after a click are captured at most every half second, and only if the snapshot differs', async ({
  page,
  site,
  gasoline,
}) => {
  site.routes.set('/', (_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(`<h1>Counter</h1><button>More</button><p role="status"></p>
      <script>
        let count = 0;
        document.querySelector('button').onclick = () => setTimeout(() => {
          document.querySelector('p').textContent = count < 5 ? 'Counted to ' + ++count : 'Counted to ' + count;
        }, 20);
      </script>`),
  );
  await page.goto(site.url());
  const shown = async () =>
    ((await gasoline.get<Answer>('/snapshot')).dom_snapshots as Answer[]).filter(({ url }) => url === site.url('/'));
  const texts = async () => (await shown()).map(({ elements }) => elements.at(-1).text);
  await expect.poll(texts).toEqual(['Counter']);
  for (let click = 0; click < 8; click++) await page.getByRole('button', { name: 'More' }).click();
  await expect.poll(async () => (await texts()).at(-1), { timeout: 60_000 }).toBe('Counted to 5');
  const all = await shown();
  const times = all.map(({ timestamp }) => new Date(timestamp).getTime());
  for (const [place, time] of times.entries()) {
    if (place > 0) expect(time - (times[place - 1] ?? 0)).toBeGreaterThan(490);
  }
  // From now on clicks do not change the page.
  const known = all.length;
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('heading').evaluate((heading) => setTimeout(() => heading.after('changed without a sign'), 50));
  await page.waitForTimeout(1_000);
  expect(await shown()).toHaveLength(known);
});
