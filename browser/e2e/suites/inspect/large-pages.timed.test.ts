// Answers come in time, however large the page is.

import { expect, html, test } from './inspecting';

const ROW = '<div class="row"><span>Name</span><a href="#">Link</a><b>Bold</b><i>text</i></div>';
const LARGE = `<html lang="en"><title>Large</title><main><h1>Large</h1>${ROW.repeat(2_000)}</main>`;
const HOSTS = `<html lang="en"><title>Hosts</title><main></main><script>
  for (let i = 0; i < 1000; i++) {
    const host = document.querySelector('main').appendChild(document.createElement('x-row'));
    host.attachShadow({ mode: 'open' }).innerHTML = '<div><p>a</p><p>b</p><p>c</p><p>d</p><p>e</p><p>f</p><p>g</p></div>';
  }</script>`;
/** Long enough for a machine that stalls in between. */
const BUSY_MILLIS = 6_000;
const DEEP = `<html lang="en"><title>Deep</title>${'<div>'.repeat(400)}${'<p>x</p>'.repeat(9_600)}`;

for (const [name, text] of Object.entries({ LARGE, HOSTS, DEEP })) {
  test(`${name.toLowerCase()}: a query takes less than 200 ms for ten thousand nodes`, async ({
    site,
    page,
    queryDom,
    millis,
  }) => {
    site.routes.set('/', html(text));
    await page.goto(site.url());
    for (const params of [
      { selector: '*' },
      { selector: '*', include_styles: true, include_children: true, max_depth: 5 },
    ]) {
      const { matchCount, returnedCount, partial } = await queryDom(params);
      expect(matchCount).toBeGreaterThanOrEqual(9_000);
      expect(returnedCount).toBeGreaterThan(0);
      if (returnedCount < 50) expect(partial).toContain('150 ms');
      const took = await millis('queryDom', params);
      console.log(`${name} ${JSON.stringify(params)}: ${Math.round(took)} ms`);
      expect(took).toBeLessThan(200);
    }
    const took = await millis('pageInfo');
    console.log(`${name} pageInfo: ${Math.round(took)} ms`);
    expect(took).toBeLessThan(200);
  });
}

test('an audit of ten thousand nodes takes less than 10 s', async ({ site, page, audit }) => {
  site.routes.set('/', html(LARGE));
  await page.goto(site.url());
  const times: number[] = [];
  // Other programs run on the machine, too.
  for (let turn = 0; turn < 3 && !times.some((millis) => millis < 10_000); turn++) {
    const { answer, millis } = await timed(() => audit({}, 20_000));
    console.log(`audit: ${Math.round(millis)} ms, ${answer.summary.passes} rules pass`);
    times.push(millis);
  }
  expect(Math.min(...times)).toBeLessThan(10_000);
});

for (const [where, inner] of [
  ['the page', '/inner'],
  ['a frame of another origin', 'other'],
] as const) {
  test(`an audit that cannot finish because ${where} is busy says so, and the next one works`, async ({
    site,
    page,
    audit,
  }) => {
    const src = inner === 'other' ? site.url('/inner', 'other.test') : inner;
    site.routes.set('/inner', html('<html lang="en"><title>Inner</title><p>inner'));
    site.routes.set(
      '/',
      html(`<html lang="en"><title>T</title><main><h1>T</h1><iframe title="f" src="${src}"></iframe></main>`),
    );
    await page.goto(site.url());
    await audit();
    // Wait until it is: a small page may be audited before that.
    const isBusy = page.waitForEvent('console', (message) => message.text() === 'busy');
    const busy = page.frames()[inner === 'other' ? 1 : 0]?.evaluate((millis) => {
      console.log('busy');
      for (const end = performance.now() + millis; performance.now() < end; );
    }, BUSY_MILLIS);
    await isBusy;
    const { millis, answer } = await timed(() => audit({}, 300).catch((error: Error) => error));
    expect(answer).toMatchObject({ name: 'Timeout', message: expect.stringContaining('did not finish in 0.3 s') });
    // It does not wait for the page.
    expect(millis).toBeLessThan(BUSY_MILLIS);
    await busy;
    expect((await audit()).summary.passes).toBeGreaterThan(0);
  });
}

async function timed<Answer>(work: () => Promise<Answer>): Promise<{ answer: Answer; millis: number }> {
  const start = performance.now();
  const answer = await work();
  return { answer, millis: performance.now() - start };
}
