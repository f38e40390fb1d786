import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '../../support/agent';
import { expect, test } from '../../support/test';

const PAGE = readFileSync(join(import.meta.dirname, 'page.html'));
/** What a machine that stalls while a page loads makes worse, too. */
const STALLED = ['longTasks', 'totalBlockingTime'];

test.use({ options: { bodies: true } });

test('a slower second load is told against the first, a route change as what it is', async ({ page, site, agent }) => {
  let delay = 0;
  site.routes.set('/logo.png', (_, response) => {
    setTimeout(() => response.writeHead(200, { 'Content-Type': 'image/png' }).end('x'), delay);
  });
  const report = async (): Promise<{ text: string; facts: Answer }> => {
    const answer = (await agent.raw('check_performance', {})) as Answer;
    return { text: answer.content[0].text, facts: answer.structuredContent };
  };
  const loadTwice = async (path: string) => {
    const of = async (loads: number) => {
      const { url, baseline } = (await report()).facts;
      return url === path && baseline?.sampleCount === loads;
    };
    site.routes.set(path, (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE));
    delay = 0;
    await page.goto(site.url(path));
    await expect.poll(() => of(0)).toBe(true);
    const first = await report();
    expect(first.text).toContain(`Performance of ${path} (page load, `);
    expect(first.text).toContain('comparing starts with the next load of this page');
    expect(first.text).not.toContain('was');
    delay = 1_500;
    await page.reload();
    await expect.poll(() => of(1)).toBe(true);
    const second = await report();
    const regressed = (second.facts.regressions as Answer[]).map(({ metric }) => metric);
    return { second, regressed: regressed.filter((metric) => !STALLED.includes(metric)) };
  };
  // Other programs run on the machine too: the page is tried under another name if they were in the way.
  let path = '/first';
  let { second, regressed } = await loadTwice(path);
  for (const name of ['/second', '/third']) {
    if (regressed.length === 1) break;
    path = name;
    ({ second, regressed } = await loadTwice(path));
  }
  expect(regressed).toEqual(['load']);
  const lines = second.text.split('\n').filter((line) => line.includes('was') && !/tasks|blocking/.test(line));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^ {2}Load: \d\.\d+ s \(was [\d.]+ m?s, \+\d+%\)$/);
  expect(second.text).toMatch(/Slowest:\n {4}\d\.\d+ s .*\/logo\.png/);

  await page.evaluate(() => {
    document.querySelector('#cart')?.addEventListener('click', () => {
      const end = performance.now() + 120;
      while (performance.now() < end);
      history.pushState({}, '', '/cart');
    });
  });
  await page.click('#cart');
  await expect.poll(async () => (await report()).facts.url).toBe('/cart');
  const route = await report();
  expect(route.text).toContain('Performance of /cart (single-page route change, ');
  expect(route.text).toContain('none: the address changed without a load');
  expect(route.facts.interactionToNextPaint).toBeGreaterThan(100);
  expect(route.facts.cumulativeLayoutShift).toBe(0);
  expect(route.facts.other_pages).toContain(path);
});
