// When capture takes too much of a page's or a server's time, it captures less, and reports how often.

import type { Page } from '@playwright/test';
import type { Answer } from '../../support/agent';
import { FaultyServer } from '../../support/faulty';
import { json } from '../../support/site';
import { expect, test } from '../../support/test';

test.use({ options: { bodies: true } });

async function metrics(popup: (of: Page) => Promise<Page>, page: Page): Promise<Answer> {
  const panel = await popup(page);
  const { text } = await panel.evaluate(() => chrome.runtime.sendMessage({ type: 'debug-log' }));
  await panel.close();
  const lines = text
    .split('\n')
    .map((line: string) => JSON.parse(line) as Answer)
    .filter(({ type }: Answer) => type === 'gasoline:perf');
  return lines.at(-1).metrics;
}

/** Makes a built-in that capture calls slow. */
const SLOW = `
  const slow = (owner, name, millis) => {
    const native = owner[name];
    owner[name] = function (...args) {
      const until = performance.now() + millis;
      while (performance.now() < until);
      return native.apply(this, args);
    };
  };`;

test('bodies are skipped while fetch is slowed down', async ({ page, site, agent, popup, eventually }) => {
  site.routes.set('/data', (_, response) => json(response, { data: true }));
  await page.goto(site.url());
  const before = (await metrics(popup, page)).bodiesSkipped;
  const ask = (from: number, to: number) =>
    page.evaluate(
      async ([from, to]) => {
        for (let n = from; n <= to; n++) await (await fetch(`/data?${n}`)).json();
      },
      [from, to] as const,
    );
  await ask(1, 2);
  await page.addScriptTag({ content: `{${SLOW} slow(String.prototype, 'toUpperCase', 4); }` });
  await ask(3, 8);
  const { bodies } = await eventually('get_network_bodies', { url: '/data' }, ({ total }) => total === 8);
  const body = (n: number) => bodies.find(({ url }: Answer) => url.endsWith(`?${n}`)).responseBody;
  // The page got all of them. One slow call may be caused by the machine, three are not.
  expect(body(1)).toBe('{"data":true}');
  for (const n of [5, 6, 7, 8]) expect(body(n)).toMatch(/^\[Skipped: /);
  await expect.poll(async () => (await metrics(popup, page)).bodiesSkipped - before).toBeGreaterThanOrEqual(4);
  expect((await agent.call('get_browser_errors')).total).toBe(0);
});

test('fewer messages are kept of a socket whose messages take too long', async ({ page, site, popup }) => {
  site.sockets.set('/ticks', (socket) => {
    let n = 0;
    const timer = setInterval(() => socket.send(JSON.stringify({ type: 'tick', n: n++ })), 150);
    socket.on('close', () => clearInterval(timer));
  });
  await page.goto(site.url());
  const before = (await metrics(popup, page)).socketsSampledMore;
  await page.addScriptTag({
    content: `{${SLOW} slow(String.prototype, 'charCodeAt', 1); new WebSocket('ws://' + location.host + '/ticks'); }`,
  });
  await expect.poll(async () => (await metrics(popup, page)).socketsSampledMore - before).toBeGreaterThanOrEqual(2);
});

test('a slow server gets batches less often, until it is fast again', async ({
  page,
  site,
  popup,
  gasoline,
  settings,
  worker,
}) => {
  const faulty = await FaultyServer.open(() => gasoline.port);
  try {
    await settings({ server: faulty.address });
    await page.goto(site.url());
    const say = () => page.evaluate(() => console.log('something'));
    // On a busy machine posts may have been slow before.
    const before = await metrics(popup, page);
    faulty.fault = { delay: 300 };
    const interval = async () => {
      await say();
      return (await metrics(popup, page)).sendIntervalMs;
    };
    await expect.poll(interval, { timeout: 60_000 }).toBeGreaterThanOrEqual(4_000);
    const doublings = Math.log2(4_000 / before.sendIntervalMs);
    expect((await metrics(popup, page)).slowPosts - before.slowPosts).toBeGreaterThanOrEqual(doublings);
    faulty.fault = 'none';
    await expect.poll(interval, { timeout: 60_000 }).toBeLessThan(4_000);
  } finally {
    await worker.evaluate(() => chrome.storage.local.remove('settings')).catch(() => {});
    await faulty.close();
  }
});
