// The audit: its findings, the frames that it covers, and what it rejects.

import { AXE, expect, html, test } from './inspecting';

const FAULTY = `<title>Faulty</title><body><main>
  <h1>Faulty</h1><h4 id="skips">Skips</h4>
  <p style="color:#aaa;background:#fff">Faint text</p>
  <img src="data:,"><input id="city"><button></button><a href="/x"></a>
  <span aria-labelledby="twice" role="img"></span><i id="twice">a</i><i id="twice">b</i>
  ${'<img src="data:," class="many">'.repeat(15)}</main>`;

test('violations come with a fix, the worst first', async ({ site, page, audit }) => {
  site.routes.set('/', html(FAULTY));
  await page.goto(site.url());
  const report = await audit();
  expect(report).toMatchObject({ url: site.url(), summary: { violations: report.violations.length } });
  expect(new Date(report.timestamp).toISOString()).toBe(report.timestamp);
  expect(report).not.toHaveProperty('passes');
  expect(report).not.toHaveProperty('partial');

  const order = ['critical', 'serious', 'moderate', 'minor'];
  const impacts = report.violations.map(({ impact }) => order.indexOf(impact as string));
  expect(impacts).toEqual(impacts.toSorted());

  const rule = (id: string) => report.violations.find((each) => each.id === id);
  expect(rule('color-contrast')).toMatchObject({
    impact: 'serious',
    wcag: ['wcag2aa', '1.4.3'],
    nodeCount: 1,
    nodes: [
      {
        selector: 'main > p:nth-child(3)',
        html: '<p style="color:#aaa;background:#fff">Faint text</p>',
        failureSummary: expect.stringMatching(/^Element has insufficient color contrast of 2\.32/),
        fix: 'Change foreground color to at least #767676 for 4.5:1 contrast ratio',
      },
    ],
  });
  expect(rule('image-alt')).toMatchObject({ nodeCount: 16 });
  expect(rule('image-alt')?.nodes).toHaveLength(10);
  expect(rule('heading-order')?.nodes[0]).toMatchObject({ selector: '#skips', fix: expect.stringContaining('<h4>') });
  expect(rule('label')?.nodes[0]?.fix).toContain('<label for="city">');
  for (const id of ['button-name', 'link-name', 'html-has-lang']) expect(rule(id)?.nodes[0]?.fix).toBeTruthy();
  for (const { failureSummary } of report.violations.flatMap(({ nodes }) => nodes)) {
    expect(failureSummary).not.toMatch(/\n|Fix any|Fix all/);
  }
});

test('scope, tags and passes of the audit are as requested', async ({ site, page, audit }) => {
  site.routes.set(
    '/',
    html(`<html lang="en"><title>Parts</title><div id="a"><img src="data:,"></div><div id="b"><button></button></div>
      <x-c id="c"></x-c><script>c.attachShadow({ mode: 'open' }).innerHTML = '<p><img src="data:,"></p>';</script>`),
  );
  await page.goto(site.url());
  const ids = async (params: object) =>
    (await audit(params)).violations.map(({ id, nodeCount }) => `${id} ${nodeCount}`);
  expect(await ids({ scope: '#a', tags: ['wcag2a'] })).toEqual(['image-alt 1']);
  expect(await ids({ scope: '#c >>> p', tags: ['wcag2a'] })).toEqual(['image-alt 1']);
  expect(await ids({ tags: ['wcag111'] })).toEqual(['image-alt 2']);
  expect((await audit({ tags: ['wcag111'] })).violations[0]?.nodes[1]?.selector).toBe('#c >>> p > img');
  const { passes, summary } = await audit({ scope: '#b', include_passes: true });
  expect(passes?.length).toBe(summary.passes);
  expect(passes?.[0]).toEqual({
    id: expect.any(String),
    description: expect.any(String),
    nodeCount: expect.any(Number),
  });
});

test('invalid parameters are rejected with a reason', async ({ site, page, audit }) => {
  site.routes.set('/', html('<p>x'));
  await page.goto(site.url());
  const refused = (params: object) => audit(params).catch((error: Error) => `${error.name}: ${error.message}`);
  expect(await refused({ scope: '#none' })).toBe('InvalidSelector: The scope `#none` matches nothing in the page.');
  expect(await refused({ scope: 'div[' })).toMatch(
    /^InvalidSelector: `div\[` is not a valid CSS selector: .*not closed/,
  );
  expect(await refused({ tags: ['wcag2aa', 'wcag9'] })).toMatch(
    /^InvalidTags: No rule has the tag `wcag9`\. Tags are .*wcag2aa/,
  );
});

test('all frames are audited, whatever their origin and position', async ({ site, page, audit }) => {
  const faulty = (inside = '') => html(`<html lang="en"><title>F</title><main><img src="data:,">${inside}</main>`);
  site.routes.set('/leaf', faulty());
  site.routes.set(
    '/middle',
    faulty(`<iframe title="leaf" id="leaf" src="${site.url('/leaf', 'leaf.test')}"></iframe>`),
  );
  site.routes.set(
    '/password',
    html('<html lang="en"><title>P</title><main><input type="password" value="hunter2"></main>'),
  );
  site.routes.set(
    '/',
    html(`<html lang="en"><title>Top</title><main><h1>Top</h1><img src="data:,">
      <iframe id="near" title="near" src="/leaf"></iframe>
      <iframe id="far" title="far" src="${site.url('/middle', 'middle.test')}"></iframe>
      <iframe id="form" title="form" src="${site.url('/password', 'form.test')}"></iframe>
      <iframe id="text" title="text" srcdoc="<html lang=en><title>S</title><main><img src='data:,'></main>"></iframe>
      <x-host id="host"></x-host></main>
      <script>host.attachShadow({ mode: 'open' }).innerHTML = '<iframe id="hidden" title="shadow" src="/leaf"></iframe>';</script>`),
  );
  await page.goto(site.url());
  const report = await audit({ tags: ['wcag2a'] });
  expect(report.partial).toBeUndefined();
  const images = report.violations.find(({ id }) => id === 'image-alt');
  expect(images?.nodes.map(({ selector }) => selector).sort()).toEqual([
    '#far >>> #leaf >>> main > img',
    '#far >>> main > img:nth-child(1)',
    '#host >>> #hidden >>> main > img',
    '#near >>> main > img',
    '#text >>> main > img',
    'main:nth-child(1) > img:nth-child(2)',
  ]);
  const part = await audit({ scope: '#near >>> main', tags: ['wcag2a'] });
  expect(part.violations.map(({ id, nodeCount }) => `${id} ${nodeCount}`)).toEqual(['image-alt 1']);
  expect(part.violations[0]?.nodes[0]?.selector).toBe('#near >>> main > img');
  const label = report.violations.find(({ id }) => id === 'label');
  expect(label?.nodes[0]).toMatchObject({ html: '<input type="password" value="[redacted]">' });
});

test('a frame that cannot be identified is reported as left out', async ({ site, page, audit }) => {
  site.routes.set('/inner', html('<html lang="en"><title>I</title><main><img src="data:,"></main>'));
  // In a shadow root it is missing from all lists of frames, and a frame of another origin may not read its element.
  site.routes.set(
    '/',
    html(`<html lang="en"><title>T</title><main><h1>T</h1><x-host id="host"></x-host>
      <iframe id="after" title="after" src="/inner"></iframe></main>
      <script>host.attachShadow({ mode: 'open' }).innerHTML =
        '<iframe title="far" src="${site.url('/inner', 'other.test')}"></iframe>';</script>`),
  );
  await page.goto(site.url());
  const report = await audit({ tags: ['wcag2a'] });
  expect(report.partial).toBe('1 frame(s) could not be audited.');
  const images = report.violations.find(({ id }) => id === 'image-alt');
  expect(images?.nodes.map(({ selector }) => selector)).toEqual(['#after >>> main > img']);
});

test('a page that runs axe itself is not disturbed', async ({ site, page, audit }) => {
  site.routes.set('/inner', html('<html lang="en"><title>I</title><main><img src="data:,"></main>'));
  site.routes.set(
    '/',
    html('<html lang="en"><title>T</title><main><h1>T</h1><iframe title="i" src="/inner"></iframe></main>'),
  );
  await page.goto(site.url());
  await audit();
  // Only at the top: in the frame nothing may answer axe's message, not even our script.
  await page.evaluate(AXE);
  const incomplete = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    return (await axe.run()).incomplete.map(({ id }) => id);
  });
  expect(incomplete).toContain('frame-tested');
});
