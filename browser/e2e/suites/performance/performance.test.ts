import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Answer } from '../../support/agent';
import { expect, test } from '../../support/test';

test('a load is measured two seconds later, and so is a route change', async ({ page, site, gasoline }) => {
  site.routes.set(
    '/pic.png',
    (_, response) => void response.writeHead(200, { 'Content-Type': 'image/png' }).end('x'.repeat(3_000)),
  );
  site.routes.set('/app.js', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/javascript' });
    response.end('const end = performance.now() + 120; while (performance.now() < end);');
  });
  await page.goto(site.url());
  const snapshot = async (path: string) =>
    (await gasoline.get<Answer>(`/performance-snapshot?url=${encodeURIComponent(path)}`)).snapshot;
  await expect.poll(() => snapshot('/').then(Boolean, () => false)).toBe(true);
  const load = await snapshot('/');
  expect(load.timing.load).toBeGreaterThan(100);
  expect(load.timing.firstContentfulPaint).toBeGreaterThan(0);
  expect(load.timing.largestContentfulPaint).toBeGreaterThanOrEqual(load.timing.firstContentfulPaint);
  expect(load.network.requestCount).toBe(2);
  expect(load.network.byType.image).toMatchObject({ count: 1 });
  expect(load.network.byType.image.size).toBeGreaterThan(3_000);
  expect(load.network.byType.script.count).toBe(1);
  expect(load.longTasks.count).toBeGreaterThanOrEqual(1);
  expect(load.longTasks.totalBlockingTime).toBeGreaterThan(40);
  expect(load.cumulativeLayoutShift).toBeGreaterThanOrEqual(0);
  expect(JSON.stringify(load).length).toBeLessThan(4_096);

  await page.evaluate(() => history.pushState({}, '', '/other'));
  await expect.poll(() => snapshot('/other').then(Boolean, () => false)).toBe(true);
  expect(await snapshot('/other')).toMatchObject({ softNavigation: true });
});

test('a snapshot has the visible headings and marked elements', async ({ page, site, gasoline }) => {
  await page.goto(site.url());
  const snapshots = async () => (await gasoline.get<Answer>('/snapshot')).dom_snapshots ?? [];
  await expect.poll(async () => (await snapshots()).length).toBe(1);
  expect((await snapshots())[0]).toMatchObject({
    url: site.url(),
    title: 'Loads',
    elements: [
      { role: 'heading', level: 1, text: 'Welcome', visible: true },
      { role: 'heading', level: 2, text: 'News', visible: true },
      { text: 'Hello Ann', testId: 'greeting', visible: true },
    ],
  });
  expect((await snapshots())[0].elements).toHaveLength(3);
  await page.evaluate(() => {
    for (let index = 0; index < 10; index++) history.pushState({}, '', `/step${index}`);
    document.body.insertAdjacentHTML('afterbegin', '<h2>Later</h2>');
  });
  await expect.poll(async () => (await snapshots()).length).toBe(2);
  expect(JSON.stringify((await snapshots()).find((snapshot: Answer) => snapshot.url.includes('step9')))).toContain(
    'Later',
  );
  await page.waitForTimeout(700);
  expect(await snapshots()).toHaveLength(2);
});

test('a route change while a snapshot is pending gets its own snapshot', async ({ page, site, gasoline }) => {
  await page.goto(site.url());
  // Its response arrives after the snapshot that the page load scheduled.
  await page.evaluate(() => {
    history.pushState(null, '', '/late');
    setTimeout(() => {
      (document.querySelector('h1') as HTMLElement).textContent = 'Came late';
    }, 450);
  });
  const told = async () => JSON.stringify((await gasoline.get<Answer>('/snapshot')).dom_snapshots ?? []);
  await expect.poll(told).toContain('Came late');
});

test('a page that never stops changing its address gets snapshots, but not at each change', async ({
  page,
  site,
  gasoline,
}) => {
  await page.goto(site.url());
  await page.evaluate(async () => {
    for (let step = 0; step < 60; step++) {
      history.replaceState(null, '', `/?scrolled=${step}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    document.title = 'Still';
  });
  const snapshots = async () => (await gasoline.get<Answer>('/snapshot')).dom_snapshots ?? [];
  await expect.poll(async () => (await snapshots()).at(-1)?.title).toBe('Still');
  const before = (await snapshots()).filter(({ title }: Answer) => title !== 'Still').length;
  expect(before).toBeGreaterThanOrEqual(1);
  expect(before).toBeLessThanOrEqual(5);
});

test('our web vitals equal those of the web-vitals package', async ({ page, site, gasoline }) => {
  const library = readFileSync(
    createRequire(import.meta.url)
      .resolve('web-vitals')
      .replace('.umd.cjs', '.iife.js'),
    'utf8',
  );
  site.routes.set('/vitals', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(`<!doctype html><title>Vitals</title><script>${library}</script><script>
      window.theirs = {};
      for (const name of ['CLS', 'LCP', 'FCP', 'INP']) webVitals['on' + name](({ value }) => { theirs[name] = value }, { reportAllChanges: true });
    </script><div id="top"></div><h1 style="font-size: 80px">Large words</h1><button id="slow">Slow</button><script>
      document.querySelector('#slow').addEventListener('click', () => { const end = performance.now() + 150; while (performance.now() < end); });
      setTimeout(() => { document.querySelector('#top').style.height = '120px' }, 300);
    </script>`);
  });
  await page.goto(site.url('/vitals'));
  const known = (...names: string[]) =>
    page.waitForFunction(
      (names) => names.every((name) => ((window as unknown as { theirs: Answer }).theirs[name] ?? 0) > 0),
      names,
    );
  // Shifts within half a second after a click do not count.
  await known('FCP', 'LCP', 'CLS');
  await page.click('#slow');
  await known('INP');
  const ours = async () => (await gasoline.get<Answer>('/performance-snapshot?url=/vitals')).snapshot ?? {};
  await expect.poll(async () => (await ours()).interactionToNextPaint ?? 0).toBeGreaterThan(100);
  const theirs = await page.evaluate(() => (window as unknown as { theirs: Record<string, number> }).theirs);
  const { timing, cumulativeLayoutShift, interactionToNextPaint } = await ours();
  expect(timing.firstContentfulPaint).toBeCloseTo(theirs.FCP as number, 0);
  expect(timing.largestContentfulPaint).toBeCloseTo(theirs.LCP as number, 0);
  expect(theirs.CLS).toBeGreaterThan(0);
  expect(cumulativeLayoutShift).toBeCloseTo(theirs.CLS as number, 3);
  expect(interactionToNextPaint).toBeCloseTo(theirs.INP as number, 0);
});
