// What the extension adds to the time a page takes to load. In one browser that nobody debugs, the same page is reloaded
// in turns on a site that is captured, on one that is not, and on one where another extension has two empty scripts. Loads
// of the same page differ by more than what we add, so our scripts also carry a stopwatch: what they take of the page's
// time is what it waits for. The page is small; what requests and console calls cost is measured for themselves.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { openRaw } from '../support/chromium';
import { Gasoline } from '../support/gasoline';
import { Site } from '../support/site';
import { temporaryFolder } from '../support/temporary';
import { median, middleHalf, report } from './rows';

const CAPTURED = 'bench.test';
const PLAIN = 'plain.example';
const EMPTY = 'empty.example';
const HOSTS = [PLAIN, CAPTURED, EMPTY] as const;
const ROUNDS = 25;
const WARM_UP = 3;

/** Nobody reloads a page that has just come: it is left alone until everything about its own load was said. */
const STAY_MILLIS = 2_600;

const PAGE = `<!doctype html><title>App</title><link rel="stylesheet" href="/app.css"><h1>App</h1>
<div id="root"></div><script src="/app.js"></script>`;
const SCRIPT = `
  document.querySelector('#root').innerHTML = '<p>Hello</p>'.repeat(20);
  const first = location.search.startsWith('?first');
  addEventListener('load', () => setTimeout(() => {
    const [{ loadEventEnd, domContentLoadedEventEnd }] = performance.getEntriesByType('navigation');
    const ours = Number(window.ours ?? 0) + Number(document.documentElement.dataset.ours ?? 0);
    if (!first) navigator.sendBeacon('/took', JSON.stringify([loadEventEnd, domContentLoadedEventEnd, ours]));
    if (first) setTimeout(() => { location.href = '/app?again'; }, ${STAY_MILLIS});
    else setTimeout(() => { location.href = '/turn'; }, 50);
  }, 50));
`;

test('load', async () => {
  const gasoline = await new Gasoline().start();
  const site = await Site.open(import.meta.dirname);
  const { port } = new URL(site.url('/'));
  const took: Record<string, number[][]> = { [CAPTURED]: [], [PLAIN]: [], [EMPTY]: [] };
  let turns = 0;
  let finished = () => {};
  const done = new Promise<void>((resolve) => {
    finished = resolve;
  });
  const serve = (path: string, type: string, text: string) =>
    site.routes.set(path, (_, response) => response.writeHead(200, { 'Content-Type': type }).end(text));
  serve('/app', 'text/html', PAGE);
  serve('/app.js', 'text/javascript', SCRIPT);
  serve('/app.css', 'text/css', 'h1 { color: teal }');
  site.routes.set('/took', ({ headers }, response, body) => {
    response.end();
    took[headers.host?.split(':')[0] ?? '']?.push(JSON.parse(body));
  });
  site.routes.set('/turn', (_, response) => {
    // Round after round in another order, so that none is always first.
    const round = Math.floor(turns / HOSTS.length);
    const host = HOSTS[(turns + round) % HOSTS.length] as string;
    response.writeHead(302, { Location: `http://${host}:${port}/app?first` }).end();
    if (turns++ === HOSTS.length * (ROUNDS + WARM_UP)) finished();
  });
  const close = openRaw(`http://${PLAIN}:${port}/turn`, timedExtension(gasoline), emptyExtension());
  await done;
  close();
  await site.close();
  await gasoline.dispose();

  const of = (host: string, index: number) =>
    (took[host] ?? []).slice(WARM_UP).map((values) => values[index] as number);
  const ours = of(CAPTURED, 2);
  report({
    what: 'page: time our scripts take before `load`, median',
    measured: median(ours),
    bound: 5,
    unit: 'ms',
    note: `of ${ours.length} reloads; middle half ${middleHalf(ours)}`,
  });
  for (const [index, what] of ['load', 'DOMContentLoaded'].entries()) {
    const [plainly, captured, empty] = [of(PLAIN, index), of(CAPTURED, index), of(EMPTY, index)];
    const added = (to: number[]) => median(to) - median(plainly);
    report({
      what: `page: \`${what}\` later than without, by the clock`,
      measured: added(captured),
      unit: 'ms',
      note: `${median(plainly).toPrecision(3)} without, ${median(captured).toPrecision(3)} with; middle halves ${middleHalf(plainly)} and ${middleHalf(captured)}; an extension with two empty scripts: ${added(empty).toPrecision(2)}; for comparison, as loads differ by more than that`,
    });
  }
});

/** Ours, with a stopwatch around each script. */
function timedExtension(gasoline: Gasoline): string {
  const folder = gasoline.extension({ bodies: true });
  for (const [file, told] of [
    ['page.js', 'window.ours'],
    ['page-bodies.js', 'window.ours'],
    ['content.js', 'document.documentElement.dataset.ours'],
  ] as const) {
    const script = readFileSync(join(folder, file), 'utf8');
    // The script's last line says its name.
    writeFileSync(join(folder, file), `{const began=performance.now();${script}\n;${told}=performance.now()-began}`);
  }
  return folder;
}

/** One script in the page's world and one in its own, as ours, with nothing in them. */
function emptyExtension(): string {
  const folder = temporaryFolder('empty');
  const script = { matches: [`http://${EMPTY}/*`], js: ['empty.js'], run_at: 'document_start', all_frames: true };
  const manifest = {
    manifest_version: 3,
    name: 'Empty',
    version: '1',
    content_scripts: [{ ...script, world: 'MAIN' }, script],
  };
  writeFileSync(join(folder, 'empty.js'), '0;');
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return folder;
}
