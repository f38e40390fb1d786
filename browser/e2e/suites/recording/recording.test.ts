// A tab is recorded, saved and can be played. A browser flag replaces the user's click on the icon.

import { readFileSync, statSync } from 'node:fs';
import type { BrowserContext, Page } from '@playwright/test';
import { EXTENSION_ID } from 'gasoline-capture/limits.gen';
import type { Answer } from '../../support/agent';
import { killWorker } from '../../support/chromium';
import type { Site } from '../../support/site';
import { expect, test } from '../../support/test';
import { Recorder } from './recorder';

test.use({ options: { flags: [`--allowlisted-extension-id=${EXTENSION_ID}`] } });

/** The requested name, and the time. */
const NAMED = (name: string) => new RegExp(`^${name}--\\d{4}-\\d{2}-\\d{2}-\\d{4}$`);

const pause = (millis: number) => new Promise((done) => setTimeout(done, millis));

/** What a browser reads from the file. */
async function played(context: BrowserContext, site: Site, path: string): Promise<Answer> {
  const bytes = readFileSync(path);
  site.routes.set('/recorded.webm', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'video/webm', 'Content-Length': bytes.length }).end(bytes),
  );
  const page = await context.newPage();
  await page.goto(site.url());
  const seen = await page.evaluate(async () => {
    const video = document.createElement('video');
    video.muted = true;
    // From memory: the suite's web server does not serve ranges, without which a video cannot seek.
    video.src = URL.createObjectURL(await (await fetch('/recorded.webm')).blob());
    document.body.append(video);
    await video.play();
    await new Promise<void>((done) => {
      video.ontimeupdate = () => {
        if (video.currentTime > 0.3) done();
      };
    });
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    const pixels = canvas.getContext('2d') as CanvasRenderingContext2D;
    pixels.drawImage(video, 0, 0);
    const [red = 0, green = 0, blue = 0] = pixels.getImageData(canvas.width / 2, canvas.height * 0.8, 1, 1).data;
    const { duration, videoWidth, videoHeight, currentTime } = video;
    video.currentTime = duration / 2;
    await new Promise((done) => {
      video.onseeked = done;
    });
    return { duration, videoWidth, videoHeight, currentTime, soughtTo: video.currentTime, colour: [red, green, blue] };
  });
  await page.close();
  return { ...seen, codec: /V_VP[89]/.exec(bytes.subarray(0, 4_096).toString('latin1'))?.[0] };
}

/** `measured`: seconds from the first request to the last answer; no recording can be longer. */
async function recordFor(
  recorder: Recorder,
  page: Page,
  name: string,
  millis: number,
): Promise<{ saved: Answer; measured: number }> {
  const tab_id = await recorder.tabOf(page);
  const began = performance.now();
  expect(await recorder.start(page, name)).toEqual({
    status: 'recording',
    name: expect.stringMatching(NAMED(name)),
    tab_id,
    tab: { id: tab_id, url: page.url() },
  });
  await page.bringToFront();
  await pause(millis);
  return { saved: await recorder.stop(), measured: (performance.now() - began) / 1_000 };
}

test('a recorded tab is saved as a video that plays', async ({ page, site, context, worker, gasoline, agent }) => {
  await page.goto(site.url());
  const recorder = new Recorder(agent, worker);
  const { saved, measured } = await recordFor(recorder, page, 'demo', 3_000);
  expect(saved).toMatchObject({
    status: 'saved',
    name: expect.stringMatching(NAMED('demo')),
    path: `${gasoline.state}/recordings/${saved.name}.webm`,
  });
  expect(saved.size_bytes).toBe(statSync(saved.path).size);
  const about = JSON.parse(readFileSync(saved.metadata_path, 'utf8'));
  expect(about).toMatchObject({ url: page.url(), frame_rate: expect.any(Number), name: saved.name });
  expect(about.mime_type).toMatch(/^video\/webm/);
  const video = await played(context, site, saved.path);
  expect(video.codec).toMatch(/V_VP[89]/);
  expect(saved.duration_seconds).toBeGreaterThan(3 * 0.8);
  expect(saved.duration_seconds).toBeLessThan(measured + 0.1);
  expect(video.duration).toBeCloseTo(saved.duration_seconds, 1);
  expect(about.resolution).toBe(`${video.videoWidth}x${video.videoHeight}`);
  expect(about.resolution, 'no bars around it').toMatch(/^1000x/);
  expect(video.soughtTo).toBeCloseTo(video.duration / 2, 0);
  const [red, green, blue] = video.colour;
  expect(blue, `the page is blue: ${video.colour}`).toBeGreaterThan(150);
  expect(red + green).toBeLessThan(180);
  expect((await recorder.stop()).message).toBe('No tab is being recorded.');
  const [listed] = await recorder.list();
  expect(listed).toMatchObject({ name: saved.name, path: saved.path, size_bytes: saved.size_bytes, url: page.url() });
});

test('only one tab is recorded at a time, whichever client asks', async ({ page, site, worker, agent }) => {
  await page.goto(site.url());
  const recorder = new Recorder(agent, worker);
  const both = await Promise.all([recorder.start(page, 'first'), recorder.start(page, 'second')]);
  const [started] = both.filter((answer) => answer.status === 'recording');
  const [refused] = both.filter((answer) => answer.error);
  expect(refused?.hint).toContain('action stop');
  expect(refused?.message).toContain(`Tab ${started?.tab_id}`);
  expect(refused?.message).toContain(started?.name);
  const badge = () => worker.evaluate((tabId) => chrome.action.getBadgeText({ tabId }), started?.tab_id as number);
  await expect.poll(badge).toBe('REC');
  await pause(1_000);
  expect((await recorder.stop()).name).toBe(started?.name);
  await expect.poll(badge).toBe('');
});

test('a closed tab ends its recording, which is saved at once', async ({ context, site, worker, gasoline, agent }) => {
  const page = await context.newPage();
  await page.goto(site.url());
  const recorder = new Recorder(agent, worker);
  const { name } = await recorder.start(page, 'closed');
  await page.bringToFront();
  await pause(1_500);
  await page.close();
  const path = `${gasoline.state}/recordings/${name}.webm`;
  await expect.poll(() => statSync(path, { throwIfNoEntry: false })?.size ?? 0).toBeGreaterThan(0);
  const told = await recorder.stop();
  expect(told).toMatchObject({ status: 'saved', path });
  expect((await recorder.stop()).message).toBe('No tab is being recorded.');
  expect((await played(context, site, path)).duration).toBeGreaterThan(1);
});

test('a navigation is part of the recording', async ({ page, site, context, worker, agent }) => {
  await page.goto(site.url());
  const recorder = new Recorder(agent, worker);
  await recorder.start(page, 'navigated');
  await page.bringToFront();
  await pause(1_000);
  await page.goto(site.url('/', '127.0.0.1'));
  await pause(1_500);
  const saved = await recorder.stop();
  expect(saved.status).toBe('saved');
  expect((await played(context, site, saved.path)).duration).toBeGreaterThan(2);
});

test('the recording of a tab ends when it leaves the captured sites', async ({ page, site, worker, agent }) => {
  await page.goto(site.url());
  const recorder = new Recorder(agent, worker);
  const began = performance.now();
  const { name } = await recorder.start(page, 'leaves');
  await page.bringToFront();
  await pause(1_000);
  await page.goto(`http://plain.example:${site.port}/`);
  await expect.poll(async () => (await recorder.list())[0]?.name, { intervals: [50] }).toBe(name);
  const ended = (performance.now() - began) / 1_000;
  // The recording would be longer by this time if it had continued.
  await pause(1_500);
  const saved = await recorder.stop();
  expect(saved).toMatchObject({ status: 'saved', name });
  expect(saved.duration_seconds).toBeLessThan(ended + 0.1);
});

test('a recording is uploaded once an unreachable server is back', async ({
  context,
  site,
  worker,
  agent,
  gasoline,
}) => {
  const page = await context.newPage();
  await page.goto(site.url());
  const recorder = new Recorder(agent, worker);
  const { name } = await recorder.start(page, 'away');
  await page.bringToFront();
  await pause(1_000);
  // An attached client would start the server again.
  await agent.close();
  await gasoline.stop();
  await page.close();
  await pause(1_000);
  await gasoline.start();
  const path = `${gasoline.state}/recordings/${name}.webm`;
  await expect.poll(() => statSync(path, { throwIfNoEntry: false })?.size ?? 0, { timeout: 60_000 }).toBeGreaterThan(0);
  await expect.poll(async () => (await recorder.stop()).name, { timeout: 60_000 }).toBe(name);
});

// The last test, because it replaces the worker that the other tests use.
test('a recording outlives the worker', async ({ page, site, worker, agent }) => {
  await page.goto(site.url());
  const recorder = new Recorder(agent, worker);
  await recorder.start(page, 'outlived');
  await page.bringToFront();
  await pause(1_000);
  await killWorker(page, worker);
  await pause(1_000);
  // Any event of the page wakes it; connecting takes a little time.
  await page.evaluate(() => console.error('still here'));
  await expect.poll(async () => (await agent.call('get_status')).connected).toBe(true);
  const saved = await recorder.stop();
  expect(saved).toMatchObject({ status: 'saved', name: expect.stringMatching(NAMED('outlived')) });
  expect(saved.duration_seconds).toBeGreaterThan(2);
});
