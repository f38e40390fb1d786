import { existsSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findBinary } from '../src/binary';
import { Carrier } from '../src/carrier';
import { Client, Gone, Refused } from '../src/client';
import { within } from '../src/deadline';
import { groupFailures } from '../src/grouping';
import { messageOf } from '../src/message';
import { isAlive, Run, RunnerGone, runnerPid } from '../src/run';

const folder = mkdtempSync(join(tmpdir(), 'gasoline-parts-'));
beforeEach(() => {
  vi.stubEnv('GASOLINE_STATE_DIR', folder);
  vi.stubEnv('GASOLINE_BINARY', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('one worker holds the lock until it releases it or its process ends', () => {
  const run = new Run(process.pid);
  expect(run.lock('start')).toBe(true);
  expect(run.lock('start')).toBe(false);
  run.remove('start');
  expect(run.lock('start')).toBe(true);
  // The lock of a process that does not exist any more.
  run.write('start', 2 ** 22 + 1);
  expect(run.lock('start')).toBe(false);
  expect(run.lock('start')).toBe(true);
});

test('a lock without a process id is valid only for a short time', () => {
  const run = new Run(process.pid);
  const path = join(run.folder, 'empty');
  writeFileSync(path, '');
  expect(run.lock('empty')).toBe(false);
  expect(existsSync(path)).toBe(true);
  utimesSync(path, Date.now() / 1_000 - 60, Date.now() / 1_000 - 60);
  expect(run.lock('empty')).toBe(false);
  expect(run.lock('empty')).toBe(true);
});

test('the runner is this process, or the parent of a worker, but never the process that adopts orphans', () => {
  vi.stubEnv('TEST_WORKER_INDEX', undefined);
  expect(runnerPid(1)).toBe(process.pid);
  vi.stubEnv('TEST_WORKER_INDEX', '0');
  const first = join(folder, 'first');
  writeFileSync(first, '/sbin/init\0');
  expect(runnerPid(4711, first)).toBe(4711);
  expect(() => runnerPid(1, first)).toThrow(RunnerGone);
  expect(() => runnerPid(1, join(folder, 'nowhere'))).toThrow(RunnerGone);
  writeFileSync(first, 'node\0/app/node_modules/.bin/playwright\0test\0');
  expect(runnerPid(1, first)).toBe(1);
});

async function listen(server: Server): Promise<Client> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return new Client((server.address() as AddressInfo).port);
}

test('only one request waits for a server that hangs; later ones fail at once', async () => {
  let asked = 0;
  const server = createServer(() => asked++);
  const client = await listen(server);
  await expect(client.post('/sync', '{}')).rejects.toThrow(Gone);
  const lost: number[] = [];
  const carrier = new Carrier(
    client,
    (text) => text,
    (count) => lost.push(count),
  );
  carrier.add('{}', { test_id: 'a', worker: '0' }, '');
  await carrier.drain(60_000);
  await expect(client.get('/snapshot')).rejects.toThrow(Gone);
  expect(asked).toBe(1);
  expect(lost).toEqual([]);
  server.closeAllConnections();
  server.close();
});

test('a server that ended counts as gone; one that closed an idle connection does not', async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    if (++asked === 1) request.socket.destroy();
    else response.end('{}');
  });
  const client = await listen(server);
  await expect(client.post('/clear', '')).resolves.toEqual({});
  expect(asked).toBe(2);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await expect(client.get('/snapshot')).rejects.toThrow(Gone);
});

test('a server that rejects everything gets one report of what was lost', async () => {
  const server = createServer((_, response) => response.writeHead(401).end('no'));
  const client = await listen(server);
  await expect(client.get('/snapshot')).rejects.toThrow(Refused);
  const lost: number[] = [];
  const tags = { test_id: 'a', worker: '0' };
  const carrier = new Carrier(
    client,
    (text) => text,
    (count) => {
      lost.push(count);
      carrier.add('{"lost":1}', tags, '');
    },
  );
  carrier.add('{}', tags, '');
  await carrier.drain(60_000);
  expect(lost).toEqual([1]);
  server.closeAllConnections();
  server.close();
});

test('work that does not end is abandoned', async () => {
  expect(await within(20, new Promise(() => {}))).toBe(undefined);
  expect(await within(60_000, Promise.resolve('done'))).toBe('done');
});

test('the message has all errors of a test, without colours, and reports an unexpected pass', () => {
  const errors = [{ message: '\u001b[31mone\u001b[39m' }, { value: 'two' }, {}];
  expect(messageOf({ status: 'failed', expectedStatus: 'passed', errors })).toBe('one\n\ntwo');
  expect(messageOf({ status: 'passed', expectedStatus: 'failed', errors: [] })).toBe('expected to fail, but passed');
  expect(messageOf({ status: 'passed', expectedStatus: 'passed', errors: [] })).toBe(undefined);
});

test('all workers of a run have the same tag', () => {
  expect(new Run(process.pid).tag).toBe(new Run(process.pid).tag);
  expect(new Run(process.pid).tag).toMatch(/^[a-z0-9]{4}$/);
});

test('folders of finished runs are removed', () => {
  const gone = 2 ** 22 + 1;
  expect(isAlive(gone)).toBe(false);
  const old = join(folder, 'run', `playwright-${gone}`);
  mkdirSync(old, { recursive: true });
  new Run(process.pid);
  expect(existsSync(old)).toBe(false);
  expect(existsSync(join(folder, 'run', `playwright-${process.pid}`))).toBe(true);
});

test('the binary is a path that may contain spaces, a command with arguments, or from the environment', () => {
  const blank = join(folder, 'with blank');
  writeFileSync(blank, '');
  expect(findBinary(blank)).toEqual([blank]);
  expect(findBinary('npx gasoline-eyes')).toEqual(['npx', 'gasoline-eyes']);
  vi.stubEnv('GASOLINE_BINARY', '/opt/gasoline');
  expect(findBinary('')).toEqual(['/opt/gasoline']);
  vi.stubEnv('GASOLINE_BINARY', '');
  vi.stubEnv('PATH', folder);
  writeFileSync(join(folder, 'gasoline'), '');
  expect(findBinary('')).toEqual([join(folder, 'gasoline')]);
});

test('failures are grouped by their message, the largest group first', () => {
  const text = groupFailures([
    { title: 'one', message: '\u001b[31mError: a\u001b[39m' },
    { title: 'two', message: 'Error: b at http://localhost:41234/x' },
    { title: 'three', message: 'Error: b at http://localhost:51234/x' },
  ]);
  expect(text).toBe(
    '3 tests failed, 2 different messages:\n\n2 × Error: b at http://localhost:[port]/x\n    two\n    three\n\n1 × Error: a\n    one',
  );
});
