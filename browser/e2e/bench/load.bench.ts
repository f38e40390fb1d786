// What the extension adds to the time a page takes to load. In one browser that nobody debugs, a page of a site that is
// captured and the same page of a site that is not are reloaded in turns: that tells milliseconds apart where two browsers
// do not. The page is small, since the noise grows with the page and what we add does not; what requests and console
// calls cost is measured for themselves.

import { test } from '@playwright/test';
import { Gasoline } from '../support/gasoline';
import { Site } from '../support/site';
import { openRaw } from './raw';
import { median, middleHalf, report } from './rows';

const CAPTURED = 'bench.test';
const PLAIN = 'plain.example';
const ROUNDS = 60;
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
    if (!first) navigator.sendBeacon('/took', JSON.stringify([loadEventEnd, domContentLoadedEventEnd]));
    if (first) setTimeout(() => { location.href = '/app?again'; }, ${STAY_MILLIS});
    else setTimeout(() => { location.href = '/turn'; }, 50);
  }, 50));
`;

test('load', async () => {
  const gasoline = await new Gasoline().start();
  const site = await Site.open(import.meta.dirname);
  const { port } = new URL(site.url('/'));
  const took: Record<string, [number, number][]> = { [CAPTURED]: [], [PLAIN]: [] };
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
    // Both orders, so that neither is always first after a change.
    const host = (turns + (turns >> 1)) % 2 === 0 ? PLAIN : CAPTURED;
    response.writeHead(302, { Location: `http://${host}:${port}/app?first` }).end();
    if (turns++ === 2 * (ROUNDS + WARM_UP)) finished();
  });
  const close = openRaw(`http://${PLAIN}:${port}/turn`, gasoline.extension({ bodies: true }));
  await done;
  close();
  await site.close();
  await gasoline.dispose();

  for (const [index, what] of [
    'page: added time until `load`',
    'page: added time until interactive (`DOMContentLoaded` done)',
  ].entries()) {
    const of = (host: string) => (took[host] ?? []).slice(WARM_UP).map((values) => values[index] as number);
    const [plainly, captured] = [of(PLAIN), of(CAPTURED)];
    report({
      what,
      measured: median(captured) - median(plainly),
      bound: 5,
      unit: 'ms',
      note: `${median(plainly).toPrecision(3)} without, ${median(captured).toPrecision(3)} with, of ${captured.length} reloads each; middle halves ${middleHalf(plainly)} and ${middleHalf(captured)}`,
    });
  }
});
