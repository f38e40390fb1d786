// Tasks for cypress.config.mjs: they tell the server when a test starts and ends.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const script = readFileSync(createRequire(import.meta.url).resolve('gasoline-ci/min'), 'utf8');
const port = Number(process.env.GASOLINE_PORT ?? 7890);
const token = process.env.GASOLINE_INGEST_TOKEN;

export const tasks = {
  /** Returns the code that every page of this test has to run before its own. */
  async gasolineStart(test) {
    await boundary({ ...test, action: 'start' });
    const config = { port, token, testId: test.test_id };
    return `window.__GASOLINE_CI__ = ${JSON.stringify(config)};\n${script}`;
  },
  async gasolineEnd(test) {
    await boundary({ ...test, action: 'end' });
    return null;
  },
};

async function boundary(body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${port}/test-boundary`;
  // Without the server, tests go on as they would have done.
  await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => {});
}
