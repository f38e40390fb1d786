// How soon a query ends that a page cannot answer.

import { crash, expect, keepBusy, test } from './live';

/** The shortest of up to four attempts: other programs on this machine only delay answers. */
async function shortest(ask: () => Promise<unknown>, enough: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 4 && best >= enough; tries++) {
    const began = Date.now();
    await ask();
    best = Math.min(best, Date.now() - began);
  }
  return best;
}

test('the query of a blocked page ends soon after its deadline', async ({ open, agent, settings, site }) => {
  await settings({ allowExecuteJs: true });
  const { page, tab_id } = await open('/?busy');
  await keepBusy(page, site);
  const ask = async () =>
    expect(await agent.call('execute_js', { script: '1', timeout_ms: 2_000, tab_id })).toMatchObject({
      error: 'browser_timeout',
      message: expect.stringContaining('blocked'),
    });
  expect(await shortest(ask, 4_500)).toBeLessThan(4_500);
});

test('a tab that crashed is reported without waiting for the deadline', async ({ open, agent }) => {
  const { page, tab_id } = await open('/?crash');
  await open('/?other');
  await crash(page);
  const ask = async () =>
    expect(await agent.call('get_page_info', { tab_id })).toMatchObject({ error: 'browser_error' });
  expect(await shortest(ask, 5_000)).toBeLessThan(5_000);
});
