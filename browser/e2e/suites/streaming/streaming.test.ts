// An AI client gets notifications of what happens in the browser.

import type { Answer } from '../../support/agent';
import { expect, test } from '../../support/test';

test('an error, a dead button and a form without a response are reported', async ({ page, site, agent }) => {
  const told: Answer[] = [];
  agent.onNotification((method, params) => {
    if (method === 'notifications/gasoline/event') told.push(params);
  });
  // Events may be sent one by one or together: all messages in order.
  const messages = () =>
    told.flatMap(({ message, context }) =>
      context?.events ? context.events.map((event: Answer) => event.message) : [message],
    );
  // Not `performance`: a busy machine may cause events of that kind.
  const events = ['errors', 'network_errors', 'user_frustration', 'security'];
  expect(await agent.call('configure_streaming', { enabled: true, events, throttle_seconds: 1 })).toMatchObject({
    enabled: true,
  });
  await page.goto(site.url());
  await page.click('#fail');
  const error = "New error: Cannot read properties of null (reading 'total')";
  await expect.poll(messages, { timeout: 60_000 }).toEqual([error]);
  for (let click = 0; click < 3; click++) await page.click('#buy');
  await expect.poll(messages, { timeout: 60_000 }).toContain('Repeated clicks on #buy — handler may be broken');
  // Sent first, so that a report about it would come before the next one. But it gets a response at once, in the same
  // batch.
  await page.click('#contact button');
  await page.click('#signup button');
  await expect.poll(messages, { timeout: 60_000 }).toContain('Form submit to /signup — no response after 5s');
  expect(messages()).toHaveLength(3);

  await agent.call('configure_streaming', { enabled: false });
  await page.evaluate(() => console.error('after'));
  await expect.poll(async () => (await agent.call('get_browser_errors')).total).toBe(2);
  expect(messages()).toHaveLength(3);
});
