// Every switch of the popup: the AI client sees its effect, and off means off.

import type { Page } from '@playwright/test';
import type { Answer } from '../../support/agent';
import { json } from '../../support/site';
import { type Driven, expect, test } from '../../support/test';

const flip = async (popup: Page, setting: string, on: boolean) => {
  const box = popup.locator(`#${setting}`);
  await box.setChecked(on);
  await expect(box).toBeChecked({ checked: on });
};

/** Does something in the page after the events in question: once it has arrived, so have they. */
async function marker(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => console.error(text), text);
}

/** An error is reported, whatever the switch for the console says. */
async function sayAndThrow(page: Page, said: string, thrown: string): Promise<void> {
  await page.evaluate(
    ([said, thrown]) => {
      console.error(said);
      setTimeout(() => {
        throw new Error(thrown);
      });
    },
    [said, thrown],
  );
}

const errorOf = (answer: Answer, message: string) => answer.errors?.find((error: Answer) => error.message === message);

test('the console switch takes effect', async ({ page, site, agent, popup, eventually }) => {
  await page.goto(site.url());
  const panel = await popup(page);
  await flip(panel, 'captureConsole', false);
  await eventually('get_status', {}, ({ settings }) => settings.captureConsole === false);
  await page.evaluate(() => {
    console.log('unheard');
    console.error('unheard too');
    setTimeout(() => {
      throw new Error('still an error');
    });
  });
  await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'still an error'));
  await page.waitForTimeout(600);
  const empty = await agent.call('get_browser_logs', { search: 'unheard' });
  expect(empty.total).toBe(0);
  await flip(panel, 'captureConsole', true);
  await eventually('get_status', {}, ({ settings }) => settings.captureConsole === true);
  await page.evaluate(() => console.log('heard again'));
  await eventually('get_browser_logs', { search: 'heard again' }, ({ total }) => total === 1);
  await panel.close();
});

test('the capture level takes effect', async ({ page, site, agent, popup, eventually }) => {
  await page.goto(site.url());
  const panel = await popup(page);
  const say = (round: string) =>
    page.evaluate((round) => {
      for (const level of ['log', 'info', 'debug', 'warn', 'error'] as const) console[level](`${round} ${level}`);
    }, round);
  const levels = async (round: string) =>
    (await agent.call('get_browser_logs', { search: round })).logs.map((log: Answer) => log.level).sort();
  for (const [value, expected] of [
    ['error', ['error']],
    ['warn', ['error', 'warn']],
    ['all', ['debug', 'error', 'info', 'log', 'warn']],
  ] as const) {
    await panel.locator(`input[name=captureLevel][value=${value}]`).check();
    await eventually('get_status', {}, ({ settings }) => settings.captureLevel === value);
    await say(`round-${value}`);
    await eventually('get_browser_logs', { search: `round-${value} error` }, ({ total }) => total === 1);
    await page.waitForTimeout(400);
    expect(await levels(`round-${value}`)).toEqual(expected);
  }
  await panel.close();
});

test('the WebSocket switch takes effect', async ({ page, site, agent, popup, eventually }) => {
  site.sockets.set('/s', (socket) => socket.send('hello'));
  await page.goto(site.url());
  const panel = await popup(page);
  const talk = () =>
    page.evaluate(
      () => new Promise((done) => new WebSocket(`ws://${location.host}/s`).addEventListener('message', done)),
    );
  await flip(panel, 'captureWebSockets', false);
  await eventually('get_status', {}, ({ settings }) => settings.captureWebSockets === false);
  await talk();
  await marker(page, 'after talking');
  await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'after talking'));
  await page.waitForTimeout(400);
  const off = await agent.call('get_websocket_events');
  expect(off.total).toBe(0);
  expect(off.hint).toContain('WebSocket capture is switched off');
  expect((await agent.call('get_websocket_status')).connections).toEqual([]);
  await flip(panel, 'captureWebSockets', true);
  await eventually('get_status', {}, ({ settings }) => settings.captureWebSockets === true);
  await talk();
  await eventually('get_websocket_events', {}, ({ total }) => total === 3);
  await panel.close();
});

test('the switch for user actions takes effect', async ({ page, site, agent, popup, eventually }) => {
  await page.goto(site.url());
  const panel = await popup(page);
  await flip(panel, 'captureActions', false);
  await eventually('get_status', {}, ({ settings }) => settings.captureActions === false);
  await page.click('#go');
  await marker(page, 'clicked unseen');
  const answer = await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'clicked unseen'));
  await page.waitForTimeout(400);
  const off = await agent.call('get_enhanced_actions');
  expect(off.total).toBe(0);
  expect(off.hint).toContain('action capture is switched off');
  expect((await agent.entry(errorOf(answer, 'clicked unseen').id))._actions).toBeUndefined();
  await flip(panel, 'captureActions', true);
  await eventually('get_status', {}, ({ settings }) => settings.captureActions === true);
  await page.click('#go');
  await eventually('get_enhanced_actions', {}, ({ total }) => total === 1);
  await panel.close();
});

test('bodies are captured in open pages, and from the first request of a new page', async ({
  page,
  site,
  agent,
  popup,
  eventually,
}) => {
  site.routes.set('/data', (_, response) => json(response, { answer: 42 }));
  site.routes.set('/first', (_, response) => {
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(`<title>First</title><script>fetch('/data?first')</script>`);
  });
  await page.goto(site.url());
  const panel = await popup(page);
  await page.evaluate(() => fetch('/data?off'));
  const off = await eventually('get_network_bodies', {}, ({ total }) => total === 1);
  expect((await agent.entry(off.bodies[0].id)).responseBody).toBeUndefined();
  await flip(panel, 'captureNetworkBodies', true);
  await eventually('get_status', {}, ({ settings }) => settings.captureNetworkBodies === true);
  await page.evaluate(() => fetch('/data?on'));
  const on = await eventually('get_network_bodies', { url_filter: '?on' }, ({ total }) => total === 1);
  expect((await agent.entry(on.bodies[0].id)).responseBody).toBe('{"answer":42}');
  await page.goto(site.url('/first'));
  const first = await eventually('get_network_bodies', { url_filter: '?first' }, ({ total }) => total === 1);
  expect((await agent.entry(first.bodies[0].id)).responseBody).toBe('{"answer":42}');
  await flip(panel, 'captureNetworkBodies', false);
  await eventually('get_status', {}, ({ settings }) => settings.captureNetworkBodies === false);
  await page.evaluate(() => fetch('/data?again'));
  const again = await eventually('get_network_bodies', { url_filter: '?again' }, ({ total }) => total === 1);
  expect((await agent.entry(again.bodies[0].id)).responseBody).toBeUndefined();
  await panel.close();
});

for (const [setting, field] of [
  ['networkWaterfall', 'networkWaterfall'],
  ['performanceMarks', 'performanceMarks'],
] as const) {
  test(setting, async ({ page, site, agent, popup, eventually }) => {
    await page.goto(site.url());
    const panel = await popup(page);
    await page.evaluate(() => {
      performance.mark('checkout-started');
      return fetch('/page.html');
    });
    await marker(page, 'without');
    const without = await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'without'));
    expect((await agent.entry(errorOf(without, 'without').id)).metadata).toBeUndefined();
    await flip(panel, setting, true);
    await eventually('get_status', {}, ({ settings }) => settings[setting] === true);
    await marker(page, 'with');
    const answer = await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'with'));
    const { metadata, _enrichments } = await agent.entry(errorOf(answer, 'with').id);
    expect(_enrichments).toContain(field);
    expect(JSON.stringify(metadata[field])).toContain(field === 'networkWaterfall' ? '/page.html' : 'checkout-started');
    await panel.close();
  });
}

test('the switch for screenshots on error takes effect', async ({ page, site, agent, popup, eventually }) => {
  await page.goto(site.url());
  const panel = await popup(page);
  await page.bringToFront();
  await marker(page, 'no picture');
  const without = await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'no picture'));
  await page.waitForTimeout(500);
  expect((await agent.entry(errorOf(without, 'no picture').id)).screenshot).toBeUndefined();
  await flip(panel, 'screenshotOnError', true);
  await eventually('get_status', {}, ({ settings }) => settings.screenshotOnError === true);
  await page.bringToFront();
  await marker(page, 'with picture');
  const answer = await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'with picture'));
  const { id } = errorOf(answer, 'with picture');
  await expect.poll(async () => (await agent.entry(id)).screenshot ?? '').toMatch(/screenshots.*\.jpe?g$/);
  await panel.close();
});

test('the AI client sees switches that affect later queries', async ({ page, site, popup, eventually }) => {
  await page.goto(site.url());
  const panel = await popup(page);
  for (const [setting, start] of [
    ['allowExecuteJs', false],
    ['aiContextEnabled', true],
  ] as const) {
    await eventually('get_status', {}, ({ settings }) => settings[setting] === start);
    await flip(panel, setting, !start);
    await eventually('get_status', {}, ({ settings }) => settings[setting] === !start);
  }
  await panel.close();
});

test('the site switch works at once in both directions, and stays off after a reload', async ({
  page,
  site,
  agent,
  popup,
  eventually,
}) => {
  await page.goto(site.url());
  const host = `localhost:${site.port}`;
  const panel = await popup(page);
  const toggle = panel.locator('[data-test=site-switch]');
  await expect(toggle).toBeChecked();
  await toggle.setChecked(false);
  await eventually('get_status', {}, ({ settings }) => settings.blockedSites?.includes(host));
  await page.evaluate(() => console.error('after switching off'));
  await page.reload();
  expect(await page.evaluate(() => '__gasoline' in window)).toBe(false);
  await page.evaluate(() => console.error('after reloading'));
  await page.waitForTimeout(800);
  const off = await agent.call('get_browser_errors');
  expect(off.total).toBe(0);
  await toggle.setChecked(true);
  await eventually('get_status', {}, ({ settings }) => settings.blockedSites?.length === 0);
  await expect.poll(() => page.evaluate(() => '__gasoline' in window)).toBe(true);
  await page.evaluate(() => console.error('on without reload'));
  await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'on without reload'));
  await expect(panel.locator('[data-test=needs-reload]')).toBeVisible();
  await panel.close();
});

test('a site that is not listed is left alone until one click adds it', async ({
  page,
  site,
  popup,
  settings,
  eventually,
}) => {
  await settings({ sites: [] });
  await page.goto(site.url());
  expect(await page.evaluate(() => '__gasoline' in window)).toBe(false);
  expect(await page.evaluate(() => String(fetch))).toBe('function fetch() { [native code] }');
  // The list of tabs is updated shortly after a change: it may still contain a tab of the previous test.
  const alone = ({ tabs }: Answer) => tabs.length > 0 && tabs.every((tab: Answer) => !tab.captured);
  const { next_steps } = await eventually('get_status', {}, alone);
  expect(next_steps.join()).toContain('enable its site');
  const panel = await popup(page);
  await panel.locator('[data-test=site-switch]').setChecked(true);
  await eventually('get_status', {}, ({ tabs }) => tabs.some((tab: Answer) => tab.captured));
  await page.reload();
  await page.evaluate(() => console.error('now listed'));
  await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'now listed'));
  await panel.close();
});

test('private addresses are captured, hosts that only look like them are not', async ({
  page,
  site,
  settings,
  eventually,
}) => {
  await page.goto(site.url('/', '192.168.77.7'));
  await page.evaluate(() => console.error('from the local network'));
  await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'from the local network'));
  await page.goto(site.url('/', '10.example'));
  await expect.poll(() => page.evaluate(() => '__gasoline' in window)).toBe(false);
  // A static rule registers the scripts there, so off must still mean off.
  await settings({ sites: [] });
  await page.goto(site.url('/', '192.168.77.7'));
  await expect.poll(() => page.evaluate(() => '__gasoline' in window)).toBe(false);
  expect(await page.evaluate(() => String(fetch))).toBe('function fetch() { [native code] }');
});

test('a site that Chrome cannot match does not affect other sites', async ({ page, site, settings, eventually }) => {
  await settings({ sites: ['*.example.*', 'local'] });
  await page.goto(site.url());
  await page.evaluate(() => console.error('captured all the same'));
  await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'captured all the same'));
});

test('a captured frame in a page that is not captured survives a change of the settings', async ({
  page,
  site,
  settings,
  eventually,
}) => {
  await settings({ sites: ['127.0.0.1'] });
  site.routes.set('/outer', (_, response) => {
    const inner = site.url('/', '127.0.0.1');
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(`<title>Outer</title><iframe src="${inner}"></iframe>`);
  });
  await page.goto(site.url('/outer'));
  const frame = page.frames()[1];
  await frame?.evaluate(() => console.error('before'));
  await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'before'));
  await settings({ captureActions: false });
  await frame?.evaluate(() => console.error('afterwards'));
  await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'afterwards'));
});

test('a page that hangs does not delay a switch for other pages', async ({
  context,
  page,
  site,
  settings,
  agent,
  eventually,
}) => {
  const hanging = page;
  await hanging.goto(site.url());
  const other = await context.newPage();
  await other.goto(site.url());
  await hanging.evaluate(() => {
    setTimeout(() => {
      const end = Date.now() + 12_000;
      while (Date.now() < end);
    });
  });
  let isBack = false;
  const back = hanging
    .waitForFunction(() => true)
    .then(() => {
      isBack = true;
    });
  await settings({ captureConsole: false });
  await sayAndThrow(other, 'switched off', 'heard');
  await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'heard'));
  expect((await agent.call('get_browser_logs', { search: 'switched off' })).total).toBe(0);
  expect(isBack).toBe(false);
  // It gets the change when it continues.
  await back;
  await sayAndThrow(hanging, 'too late', 'back again');
  await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'back again'));
  expect((await agent.call('get_browser_logs', { search: 'too late' })).total).toBe(0);
  await other.close();
});

test('a page that hangs while its site is switched on is captured when it continues', async ({
  page,
  site,
  settings,
  eventually,
}) => {
  await settings({ sites: [] });
  await page.goto(site.url());
  await page.evaluate(() => {
    setTimeout(() => {
      const end = Date.now() + 4_000;
      while (Date.now() < end);
    });
  });
  await settings({ sites: ['local'] });
  await expect.poll(() => page.evaluate(() => '__gasoline' in window)).toBe(true);
  await page.evaluate(() => console.error('late, but heard'));
  await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'late, but heard'));
});

test('of many simultaneous changes the last one wins', async ({ page, site, worker, agent, eventually }) => {
  await page.goto(site.url());
  // Removing and injecting scripts takes the browser longer than the interval between the changes.
  await worker.evaluate(async () => {
    const changes = [[], ['local'], [], ['all'], [], ['local']];
    const noticed = new Promise<void>((done) => {
      let left = changes.length;
      chrome.storage.onChanged.addListener(() => {
        if (--left === 0) done();
      });
    });
    for (const sites of changes) {
      void chrome.storage.local.set({ settings: { sites } });
      await new Promise((done) => setTimeout(done));
    }
    await noticed;
    await (globalThis as unknown as Driven).gasoline.settled();
  });
  await eventually('get_status', {}, ({ settings, tabs }) => {
    const isOpen = tabs.some(({ captured }: Answer) => captured);
    return isOpen && settings.sites?.join() === 'local';
  });
  await page.reload();
  await page.evaluate(() => console.error('captured in the end'));
  await eventually('get_browser_errors', {}, (answer) => errorOf(answer, 'captured in the end'));
  const { content } = await worker.evaluate(async () => ({
    content: (await chrome.scripting.getRegisteredContentScripts()).length,
  }));
  expect(content).toBe(2);
  expect((await agent.call('get_status')).settings.sites).toEqual(['local']);
});
