// The DOM, the page's outline and the audit as an AI client gets them, through every layer.

import { expect, STRICT, test } from './live';

test('query_dom describes elements', async ({ open, agent, site }) => {
  const { tab_id } = await open();
  const answer = await agent.call('query_dom', { selector: '#orders > li' });
  expect(answer).toMatchObject({
    url: site.url(),
    title: 'Live',
    matchCount: 2,
    returnedCount: 2,
    tab: { id: tab_id, url: site.url() },
    matches: [
      { tag: 'li', attributes: { class: 'order', 'data-id': '1' }, text: 'First', visible: true },
      { tag: 'li', attributes: { 'data-id': '2' }, text: 'Second' },
    ],
  });
  expect(answer.matches[0].styles).toBeUndefined();
  expect(answer.matches[0].children).toBeUndefined();
  expect(answer.matches[0].boundingBox).toMatchObject({ width: expect.any(Number), height: expect.any(Number) });
});

test('query_dom honours every parameter', async ({ open, agent }) => {
  const { page } = await open();
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      `<div id="deep">${'<div>'.repeat(8)}<b>bottom</b>${'</div>'.repeat(8)}</div>`,
    );
  });
  const depthOf = (node: { children?: [{ children?: never }] }): number =>
    node.children?.length ? 1 + depthOf(node.children[0]) : 0;
  const ask = (args: object) => agent.call('query_dom', { selector: '#deep', ...args });
  expect(depthOf((await ask({ include_children: true })).matches[0])).toBe(3);
  expect(depthOf((await ask({ include_children: true, max_depth: 1 })).matches[0])).toBe(1);
  expect(depthOf((await ask({ include_children: true, max_depth: 5 })).matches[0])).toBe(5);
  expect(depthOf((await ask({ include_children: true, max_depth: 6 })).matches[0])).toBe(5);
  expect((await ask({ include_styles: true })).matches[0].styles).toMatchObject({
    display: 'block',
    position: 'static',
  });
  expect((await ask({ properties: ['cursor'] })).matches[0].styles).toEqual({ cursor: 'auto' });
  const wrong = await agent.call('query_dom', { selector: 'li:nth(' });
  expect(wrong).toMatchObject({ error: 'invalid_params', message: expect.stringContaining('li:nth(') });
  const none = await agent.call('query_dom', { selector: '#orders > p.nothing' });
  expect(none).toMatchObject({ matches: [], matchCount: 0, hint: expect.any(String) });
  expect((await agent.call('query_dom', { selector: ' ' })).error).toBe('invalid_params');
});

test('fifty of many matches are described, and no secrets', async ({ open, agent }) => {
  const { page } = await open();
  await page.evaluate(() => {
    for (let index = 0; index < 51; index++) document.body.append(document.createElement('hr'));
  });
  const many = await agent.call('query_dom', { selector: 'hr' });
  expect(many).toMatchObject({ matchCount: 51, returnedCount: 50 });
  const [input] = (await agent.call('query_dom', { selector: '[name=password]' })).matches;
  expect(JSON.stringify(input)).not.toContain('hunter2');
});

test('get_page_info returns the outline of the page', async ({ open, agent, site }) => {
  const { page, tab_id } = await open();
  await page.evaluate(() => scrollTo({ top: 120, behavior: 'instant' }));
  expect(await agent.call('get_page_info')).toMatchObject({
    url: site.url(),
    title: 'Live',
    viewport: { width: 1000, height: 700 },
    scroll: { x: 0, y: 120 },
    documentHeight: expect.any(Number),
    forms: [{ id: 'login', action: '/login', fields: ['email', 'password'] }],
    headings: ['Orders'],
    links: 0,
    images: 0,
    interactiveElements: 2,
    tab: { id: tab_id, url: site.url() },
  });
});

test('an audit has violations, a scope and tags, and is cached', async ({ open, agent, site }) => {
  site.routes.set('/poor', (_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/html', ...STRICT })
      .end(`<!doctype html><html lang="en"><title>Poor</title>
      <main><h1>Poor</h1><img src="/x.png">${'<button></button>'.repeat(12)}
      <section id="fine"><p>Fine</p></section></main>`),
  );
  const { page, tab_id } = await open('/poor');
  const answer = await agent.call('run_accessibility_audit');
  expect(answer.error, JSON.stringify(answer)).toBeUndefined();
  const ids = answer.violations.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(expect.arrayContaining(['image-alt', 'button-name']));
  const buttons = answer.violations.find(({ id }: { id: string }) => id === 'button-name');
  expect(buttons).toMatchObject({
    impact: 'critical',
    nodeCount: 12,
    wcag: expect.arrayContaining(['wcag2a', '4.1.2']),
  });
  expect(buttons.nodes).toHaveLength(10);
  expect(buttons.nodes[0]).toMatchObject({
    html: '<button></button>',
    selector: expect.any(String),
    failureSummary: expect.any(String),
    fix: expect.any(String),
  });
  expect(answer.summary.violations).toBe(answer.violations.length);
  expect(answer.tab).toEqual({ id: tab_id, url: site.url('/poor') });
  expect(answer.passes).toBeUndefined();

  // The same answer for half a minute, unless a fresh one is requested.
  await page.evaluate(() => document.querySelector('img')?.setAttribute('alt', 'x'));
  const cached = await agent.call('run_accessibility_audit');
  expect(cached.cached).toContain('force_refresh');
  expect(cached.violations).toHaveLength(answer.violations.length);
  const fresh = await agent.call('run_accessibility_audit', { force_refresh: true });
  expect(fresh.violations.map(({ id }: { id: string }) => id)).not.toContain('image-alt');

  expect((await agent.call('run_accessibility_audit', { scope: '#fine' })).violations).toEqual([]);
  const bestPractice = await agent.call('run_accessibility_audit', { tags: ['best-practice'] });
  expect(bestPractice.violations.map(({ id }: { id: string }) => id)).not.toContain('button-name');
  const passes = await agent.call('run_accessibility_audit', { include_passes: true });
  expect(passes.passes.length).toBeGreaterThan(3);
  const nowhere = await agent.call('run_accessibility_audit', { scope: '#nowhere' });
  expect(nowhere).toMatchObject({ error: 'invalid_params', message: expect.stringContaining('#nowhere') });
  const unknown = await agent.call('run_accessibility_audit', { tags: ['wcag9z'] });
  expect(unknown).toMatchObject({ error: 'invalid_params', message: expect.stringContaining('wcag9z') });
});

test('queries leave no trace in the page', async ({ open, agent }) => {
  const { page } = await open();
  const seen: string[] = [];
  page.on('console', (message) => seen.push(message.text()));
  page.on('pageerror', (error) => seen.push(error.message));
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.srcdoc = '<p>inside</p>';
    document.body.append(frame);
    Object.assign(window, { heard: [] as unknown[] });
    addEventListener('message', (event) => (window as unknown as { heard: unknown[] }).heard.push(event.data));
    new MutationObserver((changes) => (window as unknown as { heard: unknown[] }).heard.push(changes.length)).observe(
      document,
      { subtree: true, childList: true, attributes: true },
    );
  });
  await page.waitForTimeout(200);
  await page.evaluate(() => {
    (window as unknown as { heard: unknown[] }).heard.length = 0;
  });
  const before = await page.evaluate(() => Object.keys(window).sort().join());
  await agent.call('query_dom', { selector: '*', include_styles: true, include_children: true });
  await agent.call('get_page_info');
  await agent.call('run_accessibility_audit', { force_refresh: true });
  await agent.call('take_screenshot');
  expect(await page.evaluate(() => (window as unknown as { heard: unknown[] }).heard)).toEqual([]);
  expect(await page.evaluate(() => Object.keys(window).sort().join())).toBe(before);
  expect(seen).toEqual([]);
});
