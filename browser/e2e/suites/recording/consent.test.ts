// Without the user's click, as in every new browser.

import { expect, test } from '../../support/test';
import { Recorder } from './recorder';

test('without consent nothing is recorded, and the message says what to do', async ({ page, site, agent, worker }) => {
  await page.goto(site.url());
  const recorder = new Recorder(agent, worker);
  const refused = await recorder.start(page, 'demo');
  expect(refused.error).toBe('browser_error');
  expect(refused.message).toMatch(/Chrome wants the user to allow this first/);
  expect(refused.hint).toMatch(/click the Gasoline icon in the toolbar/);
  const idle = await recorder.stop();
  expect(idle).toMatchObject({ error: 'browser_error', message: 'No tab is being recorded.' });
  expect(idle.hint).toContain('action start');
  expect(await agent.call('record_video', { action: 'list' })).toMatchObject({
    recordings: [],
    hint: expect.stringContaining('start'),
  });
  expect((await agent.call('record_video', { action: 'pause' })).error).toBe('invalid_params');
});
