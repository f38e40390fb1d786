// What the CI script costs the page, with and without it in turns, in browsers that no debugger slows down.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { Gasoline } from '../support/gasoline';
import { json, Site } from '../support/site';
import { RawBrowser, serveBench } from './raw';
import { median, middleHalf, report } from './rows';

const TOKEN = 'ingest-token-of-this-benchmark-0123456789';
const SCRIPT = readFileSync(join(import.meta.dirname, '../../ci/dist/gasoline-ci.min.js'), 'utf8');
// Isolation gives the page a clock of 5 µs instead of 100.
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const TURNS = 15;

const MEASUREMENTS = `{
  async injected() {
    const frame = document.createElement('iframe');
    frame.src = '/injected';
    document.body.append(frame);
    await new Promise((done) => { frame.onload = done; });
    const millis = frame.contentWindow.injectedMillis;
    frame.remove();
    return millis;
  },
  async text() {
    const calls = 500;
    const started = performance.now();
    for (let index = 0; index < calls; index++) console.log('a line of text ' + index);
    return (performance.now() - started) / calls;
  },
  async fetchSync() {
    const calls = 100;
    let total = 0;
    for (let index = 0; index < calls; index++) {
      const started = performance.now();
      const answer = fetch('/small', { method: 'POST', body: '{"a":1}', headers: { 'X-A': '1' } });
      total += performance.now() - started;
      await answer;
    }
    return total / calls;
  },
  // The longest that the page gets no turn while 50 entries are written and posted; of five times the least, because other
  // programs take turns away too.
  async flush() {
    const waits = [];
    for (let round = 0; round < 5; round++) {
      const { port1, port2 } = new MessageChannel();
      let longest = 0;
      for (let index = 0; index < 50; index++) console.log('a line of text ' + index);
      let last = performance.now();
      const until = last + 250;
      await new Promise((done) => {
        port1.onmessage = () => {
          const now = performance.now();
          longest = Math.max(longest, now - last);
          last = now;
          if (now < until) port2.postMessage(0);
          else done();
        };
        port2.postMessage(0);
      });
      port1.close();
      waits.push(longest);
    }
    return Math.min(...waits);
  },
  async handOver() {
    await new Promise((done) => setTimeout(done, 300));
    console.error('to be sent');
    const started = performance.now();
    dispatchEvent(new Event('pagehide'));
    return performance.now() - started;
  },
  async memory() {
    for (let index = 0; index < 20_000; index++) console.log('a line of text that fills the queue ' + index, { index });
    const { bytes } = await performance.measureUserAgentSpecificMemory();
    return bytes;
  },
}`;

test('what the CI script costs', async () => {
  const gasoline = await new Gasoline().start(['--ci', '--max-events-per-second', '0'], {
    GASOLINE_INGEST_TOKEN: TOKEN,
  });
  const site = await Site.open(import.meta.dirname);
  site.routes.set('/small', (_, response) => json(response, { ok: true }));
  const config = JSON.stringify({ port: gasoline.port, token: TOKEN });
  const head = `<script>window.__GASOLINE_CI__=${config};window.injectedMillis=performance.now()</script><script>${SCRIPT}
</script><script>window.injectedMillis=performance.now()-window.injectedMillis</script>`;
  serveBench(site, MEASUREMENTS, ISOLATED, head);
  site.routes.set('/injected', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html', ...ISOLATED }).end(`<!doctype html>${head}`),
  );
  const without = new RawBrowser(site, 'ci-without');
  const with_ = new RawBrowser(site, 'ci-with', undefined, '/bench-with-head');
  const both = async (name: string, turns = TURNS) => {
    const added: number[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const plain = await without.measure(name);
      added.push((await with_.measure(name)) - plain);
    }
    return added;
  };
  try {
    const injected: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) injected.push(await without.measure('injected'));
    const note = `middle half ${middleHalf(injected)}; the first time ${(injected[0] as number).toPrecision(3)}`;
    report({ what: 'CI script: injection', measured: median(injected), bound: 5, unit: 'ms', note });
    for (const [what, name, bound] of [
      ['CI script: added per console call', 'text', 0.1],
      ['CI script: added per fetch (sync part)', 'fetchSync', 0.5],
      ['CI script: fire and forget (added to the longest wait of a page while 50 entries are posted)', 'flush', 1],
      ['CI script: added when a page is left (all that waits is finished, written and posted)', 'handOver', undefined],
    ] as const) {
      const added = await both(name);
      const note = `middle half ${middleHalf(added)}`;
      report({ what, measured: median(added), ...(bound !== undefined && { bound }), unit: 'ms', note });
    }
    const bytes = await both('memory', 1);
    report({
      what: 'CI script: memory, its queue full',
      measured: (bytes[0] as number) / 1_048_576,
      bound: 5,
      unit: 'MB',
    });
    report({ what: 'CI script: size, minified', measured: SCRIPT.length / 1_024, bound: 64, unit: 'KB' });
  } finally {
    without.close();
    with_.close();
    await site.close();
    await gasoline.dispose();
  }
});
