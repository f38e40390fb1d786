// What selectors match, and how the matches are described.

import { expect, html, test } from './inspecting';

const PAGE = `
  <html lang="en"><title>Shop</title>
  <style>.gone { display: none } .faint { opacity: 0 } .wide { width: 300px; height: 20px; color: rgb(1, 2, 3) }</style>
  <main id="main">
    <h1 data-testid="title">Welcome <small>back</small></h1>
    <ul class="list"><li>One</li><li>Two <b>bold</b></li><li class="gone">Three</li></ul>
    <div class="wide" title="${'t'.repeat(600)}">${'long '.repeat(200)}</div>
    <div class="faint">Faint</div>
    <div class="mixed">Seen<span class="gone">not seen</span><script>var code = 1;</script><p>below</p></div>
    <input name="city" value="before"><input type="checkbox" name="agree" checked><button disabled>Go</button>
  </main>
  <script>document.querySelector('[name=city]').value = 'after';</script>`;

test('elements are described as the page shows them', async ({ site, page, queryDom }) => {
  site.routes.set('/', html(PAGE));
  await page.goto(site.url());

  const items = await queryDom({ selector: 'li' });
  expect(items).toMatchObject({ url: site.url(), title: 'Shop', matchCount: 3, returnedCount: 3 });
  expect(items.partial).toBeUndefined();
  expect(items.matches.map(({ tag, text, visible }) => ({ tag, text, visible }))).toEqual([
    { tag: 'li', text: 'One', visible: true },
    { tag: 'li', text: 'Two bold', visible: true },
    { tag: 'li', text: 'Three', visible: false },
  ]);

  const [wide] = (await queryDom({ selector: '.wide' })).matches;
  expect(wide).toMatchObject({ selector: 'div.wide', boundingBox: { width: 300, height: 20 } });
  expect(wide?.text).toHaveLength(500);
  expect(wide?.attributes.title).toHaveLength(500);
  expect(wide).not.toHaveProperty('styles');
  expect(wide).not.toHaveProperty('children');

  expect((await queryDom({ selector: '.faint' })).matches[0]).toMatchObject({ visible: false, text: 'Faint' });
  expect((await queryDom({ selector: '.mixed' })).matches[0]?.text).toBe('Seen below');
  expect((await queryDom({ selector: '.mixed script' })).matches[0]?.text).toBe('');
  expect((await queryDom({ selector: '[data-testid]' })).matches[0]?.selector).toBe('[data-testid="title"]');
});

test('fields have their current values', async ({ site, page, queryDom }) => {
  site.routes.set('/', html(PAGE));
  await page.goto(site.url());
  const { matches } = await queryDom({ selector: 'input, button' });
  expect(matches.map(({ value, checked, disabled }) => ({ value, checked, disabled }))).toEqual([
    { value: 'after' },
    { checked: true },
    { disabled: true },
  ]);
  expect(matches[0]?.attributes).toEqual({ name: 'city', value: 'before' });
});

test('styles are those requested, or the usual ones', async ({ site, page, queryDom }) => {
  site.routes.set('/', html(PAGE));
  await page.goto(site.url());
  const usual = (await queryDom({ selector: '.wide', include_styles: true })).matches[0]?.styles;
  expect(Object.keys(usual ?? {})).toHaveLength(15);
  expect(usual).toMatchObject({ display: 'block', width: '300px', color: 'rgb(1, 2, 3)', 'z-index': 'auto' });
  const named = await queryDom({ selector: '.wide', include_styles: true, properties: ['color', 'lineHeight'] });
  expect(named.matches[0]?.styles).toEqual({ color: 'rgb(1, 2, 3)', lineHeight: 'normal' });
});

test('children are described as deep as requested, and never deeper than five levels', async ({
  site,
  page,
  queryDom,
}) => {
  site.routes.set('/', html(`<div id="top">${'<div>'.repeat(8)}deep${'</div>'.repeat(8)}</div>`));
  await page.goto(site.url());
  const depth = async (max_depth?: number) => {
    const answer = await queryDom({
      selector: '#top',
      include_children: true,
      ...(max_depth !== undefined && { max_depth }),
    });
    let levels = 0;
    type Level = { children?: Level[] };
    for (let at: Level | undefined = answer.matches[0]; at?.children; at = at.children[0]) levels++;
    return levels;
  };
  expect(await depth(1)).toBe(1);
  expect(await depth()).toBe(3);
  expect(await depth(5)).toBe(5);
  expect(await depth(50)).toBe(5);
});

test('each returned selector matches exactly the element it was returned for', async ({ site, page, queryDom }) => {
  site.routes.set(
    '/',
    html(`<title>Unique</title><body>
      <div><p>a</p><p class="x">b</p></div><div><p>c</p><p class="x">d</p><div><p>e</p><p>f</p></div></div>
      <p id="same">g</p><p id="same">h</p><p id="with space:and.dots">i</p><p id="3digits">j</p><p data-testid='quo"te'>k</p>
      <section id="s"><ul><li>l</li><li>m</li></ul></section><svg><g><path class="p"/><path class="p"/></g></svg>`),
  );
  await page.goto(site.url());
  const { matches, matchCount } = await queryDom({ selector: '*' });
  expect(matches).toHaveLength(matchCount);
  const places = await page.evaluate(
    (selectors) => {
      const all = [...document.querySelectorAll('*')];
      return selectors.map((selector) => [...document.querySelectorAll(selector)].map((one) => all.indexOf(one)));
    },
    matches.map(({ selector }) => selector),
  );
  expect(places).toEqual(matches.map((_, index) => [index]));
  expect(matches.find(({ text }) => text === 'm')?.selector).toBe('ul > li:nth-child(2)');
});

test('at most fifty matches are described, and all are counted', async ({ site, page, queryDom }) => {
  site.routes.set('/', html(`<ul>${'<li>x</li>'.repeat(120)}</ul>`));
  await page.goto(site.url());
  expect(await queryDom({ selector: 'li' })).toMatchObject({ matchCount: 120, returnedCount: 50 });
});

test('invalid selectors are rejected with an explanation', async ({ site, page, queryDom }) => {
  site.routes.set('/', html('<p>x'));
  await page.goto(site.url());
  for (const [selector, reason] of [
    ['div[', 'is not closed'],
    ['//div', 'XPath'],
    ['', 'empty'],
    ['button:contains("x")', 'text'],
    ['div >', 'combinator'],
  ] as const) {
    const error = await queryDom({ selector }).catch((error: Error) => error);
    expect(error).toMatchObject({ name: 'InvalidSelector', message: expect.stringContaining(`\`${selector}\``) });
    expect((error as Error).message).toContain(reason);
  }
});

test('when nothing matches, a near miss is suggested', async ({ site, page, queryDom }) => {
  site.routes.set('/', html('<ul class="menu"><li>x</li></ul><button data-testid="Save">Save</button>'));
  await page.goto(site.url());
  expect(await queryDom({ selector: '.menu > li > a' })).toMatchObject({
    matches: [],
    matchCount: 0,
    hint: '`.menu > li` matches 1 element(s), but `.menu > li > a` none.',
  });
  expect((await queryDom({ selector: '#save' })).hint).toContain('data-testid="Save"');
  expect(await queryDom({ selector: 'video' })).not.toHaveProperty('hint');
});

test('the answer says when a page is still loading', async ({ site, page, queryDom }) => {
  site.routes.set('/slow.png', () => {});
  site.routes.set('/', html('<img src="/slow.png"><p>x'));
  await page.goto(site.url(), { waitUntil: 'domcontentloaded' });
  expect((await queryDom({ selector: '.late' })).hint).toContain('still loading');
});
