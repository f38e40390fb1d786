// Screenshots of the page, which the model sees and the server saves.

import { readFileSync } from 'node:fs';
import { expect, STRICT, test } from './live';

/** A screenshot of a whole page may take 45 s, and the second one waits for the first. */
const LONG_MILLIS = 150_000;

/** The width and height in a JPEG's header. */
function sizeOf(bytes: Buffer): { width: number; height: number } {
  for (let at = 2; at < bytes.length; ) {
    const marker = bytes.readUInt16BE(at);
    if (marker >= 0xffc0 && marker <= 0xffc3) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  throw new Error('no JPEG');
}

test('a screenshot shows the visible part', async ({ open, agent, site }) => {
  const { page, tab_id } = await open();
  const answer = await agent.call('take_screenshot');
  expect(answer).toMatchObject({ width: 1000, height: 700, tab: { id: tab_id, url: site.url() } });
  expect(sizeOf(readFileSync(answer.path))).toEqual({ width: 1000, height: 700 });
  const { content } = await agent.raw('take_screenshot', { tab_id });
  expect(content[1]).toMatchObject({ type: 'image', mimeType: 'image/jpeg' });
  expect(sizeOf(Buffer.from(content[1]?.data ?? '', 'base64'))).toEqual({ width: 1000, height: 700 });
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('a screenshot of the whole page leaves the scroll position unchanged', async ({ open, agent, site }) => {
  site.routes.set('/long', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html', ...STRICT, 'Content-Security-Policy': '' }).end(
      `<!doctype html><title>Long</title><style>body { margin: 0 } header { position: fixed; top: 0; height: 50px; width: 100%; background: rgb(0, 0, 255) }
        div { height: 900px } html { scroll-behavior: smooth }</style><header></header>
        <div style="background: rgb(255, 0, 0)"></div><div style="background: rgb(0, 255, 0)"></div><div style="background: rgb(255, 255, 0)"></div>`,
    ),
  );
  const { page } = await open('/long');
  await page.evaluate(() => scrollTo({ top: 300, behavior: 'instant' }));
  const answer = await agent.call('take_screenshot', { full_page: true });
  expect(answer).toMatchObject({ width: 1000, height: 2700 });
  expect(answer.cut).toBeUndefined();
  // Colours of the screenshot, read by the browser itself.
  const colours = await page.evaluate(async (data) => {
    const picture = new Image();
    picture.src = `data:image/jpeg;base64,${data}`;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(picture, 0, 0);
    const at = (y: number) =>
      [...context.getImageData(500, y, 1, 1).data.slice(0, 3)].map((part) => (part > 128 ? 1 : 0)).join('');
    return [25, 600, 725, 1000, 1425, 2000, 2690].map(at);
  }, readFileSync(answer.path).toString('base64'));
  // The fixed header is at the top and nowhere else.
  expect(colours).toEqual(['001', '100', '100', '010', '010', '110', '110']);
  expect(await page.evaluate(() => scrollY)).toBe(300);
  expect(await page.evaluate(() => getComputedStyle(document.querySelector('header') as Element).visibility)).toBe(
    'visible',
  );
});

test('the screenshot of an endless page is cut', async ({ open, agent }) => {
  test.setTimeout(LONG_MILLIS);
  const { page } = await open();
  await page.evaluate(() => {
    document.body.style.height = '40000px';
  });
  const answer = await agent.call('take_screenshot', { full_page: true });
  expect(answer.height).toBe(10_500);
  expect(answer.cut).toMatch(/the page is 4\d{4} px high; this shows the first 10500/);
});

test('two simultaneous screenshots of whole pages are both right', async ({ open, agent }) => {
  test.setTimeout(LONG_MILLIS);
  const { page } = await open();
  const [one, two, view] = await Promise.all([
    agent.call('take_screenshot', { full_page: true }),
    agent.call('take_screenshot', { full_page: true }),
    agent.call('take_screenshot'),
  ]);
  expect(readFileSync(one.path).equals(readFileSync(two.path))).toBe(true);
  expect(one.height).toBeGreaterThan(3_000);
  expect(view.height).toBe(700);
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('a tab behind another is not brought to the front', async ({ open, agent, worker }) => {
  const behind = await open();
  const front = await open('/?front');
  const answer = await agent.call('take_screenshot', { tab_id: behind.tab_id });
  expect(answer.error).toBe('browser_error');
  expect(answer.message).toContain('behind another tab');
  expect(answer.hint).toContain('to the front');
  const active = await worker.evaluate(async () => (await chrome.tabs.query({ active: true })).map(({ id }) => id));
  expect(active).toContain(front.tab_id);
});

test('screenshots faster than Chrome allows are delayed, not lost', async ({ open, agent }) => {
  await open();
  const answers = await Promise.all([1, 2, 3, 4].map(() => agent.call('take_screenshot')));
  for (const answer of answers) expect(answer.width).toBe(1000);
});
