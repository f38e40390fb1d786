import type { Answer } from '../../support/agent';
import { expect, test } from '../../support/test';

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
  const samples = async () => (await report()).facts.baseline?.sampleCount;
  await page.goto(site.url());
  await expect.poll(samples).toBe(0);
  const first = await report();
  expect(first.text).toContain('Performance of / (page load, ');
  expect(first.text).toContain('comparing starts with the next load of this page');
  expect(first.text).not.toContain('was');

  delay = 1_500;
  await page.reload();
  await expect.poll(samples).toBe(1);
  const second = await report();
  // A page may be blocked for a moment; that is not what this is about.
  const busy = ['longTasks', 'totalBlockingTime'];
  const lines = second.text.split('\n').filter((line) => line.includes('was') && !/tasks|blocking/.test(line));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^ {2}Load: 1\.\d+ s \(was \d+ ms, \+\d+%\)$/);
  const regressed = (second.facts.regressions as Answer[]).map(({ metric }) => metric);
  expect(regressed.filter((metric) => !busy.includes(metric))).toEqual(['load']);
  expect(second.text).toMatch(/Slowest:\n {4}1\.\d+ s .*\/logo\.png/);

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
  expect(route.facts.other_pages).toContain('/');
});
