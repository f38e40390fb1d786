// Hooks for wdio.conf.mjs: every page of a test records what it does, under the test's own id.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const script = readFileSync(createRequire(import.meta.url).resolve('gasoline-ci/min'), 'utf8');
const port = Number(process.env.GASOLINE_PORT ?? 7890);
const token = process.env.GASOLINE_INGEST_TOKEN;

let preload;

export async function beforeTest(test) {
  const config = { port, token, testId: idOf(test), worker: process.env.WDIO_WORKER_ID };
  // Runs in each new page before the page's own scripts.
  const functionDeclaration = `() => { window.__GASOLINE_CI__ = ${JSON.stringify(config)};\n${script}\n}`;
  preload = await browser.scriptAddPreloadScript({ functionDeclaration });
  await boundary(test, 'start');
}

export async function afterTest(test, _context, { passed, error }) {
  await browser.scriptRemovePreloadScript({ script: preload.script });
  await boundary(test, 'end', { status: passed ? 'passed' : 'failed', error: error?.message });
}

const idOf = (test) => `${test.parent} > ${test.title}`;

async function boundary(test, action, result) {
  const body = { test_id: idOf(test), title: test.title, worker: process.env.WDIO_WORKER_ID, action, ...result };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${port}/test-boundary`;
  // Without the server, tests go on as they would have done.
  await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => {});
}
