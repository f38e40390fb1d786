import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findBinary } from '../src/binary';
import { groupFailures } from '../src/grouping';
import { isAlive, Run } from '../src/run';

const folder = mkdtempSync(join(tmpdir(), 'gasoline-parts-'));
beforeEach(() => {
  vi.stubEnv('GASOLINE_STATE_DIR', folder);
  vi.stubEnv('GASOLINE_BINARY', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('the lock is one worker’s, until it is given back or its holder is gone', () => {
  const run = new Run(process.pid);
  expect(run.lock('start')).toBe(true);
  expect(run.lock('start')).toBe(false);
  run.remove('start');
  expect(run.lock('start')).toBe(true);
  // A process that does not exist any more held it.
  run.write('start', 2 ** 22 + 1);
  expect(run.lock('start')).toBe(false);
  expect(run.lock('start')).toBe(true);
});

test('all workers of a run have the same tag', () => {
  expect(new Run(process.pid).tag).toBe(new Run(process.pid).tag);
  expect(new Run(process.pid).tag).toMatch(/^[a-z0-9]{4}$/);
});

test('folders of runs that are over are removed', () => {
  const gone = 2 ** 22 + 1;
  expect(isAlive(gone)).toBe(false);
  const old = join(folder, 'run', `playwright-${gone}`);
  mkdirSync(old, { recursive: true });
  new Run(process.pid);
  expect(existsSync(old)).toBe(false);
  expect(existsSync(join(folder, 'run', `playwright-${process.pid}`))).toBe(true);
});

test('the binary: as asked, with a blank in its path or arguments, or from the environment', () => {
  const blank = join(folder, 'with blank');
  writeFileSync(blank, '');
  expect(findBinary(blank)).toEqual([blank]);
  expect(findBinary('npx gasoline-mcp')).toEqual(['npx', 'gasoline-mcp']);
  vi.stubEnv('GASOLINE_BINARY', '/opt/gasoline');
  expect(findBinary('')).toEqual(['/opt/gasoline']);
  vi.stubEnv('GASOLINE_BINARY', '');
  vi.stubEnv('PATH', folder);
  writeFileSync(join(folder, 'gasoline'), '');
  expect(findBinary('')).toEqual([join(folder, 'gasoline')]);
});

test('failures are grouped by what they say, the largest group first', () => {
  const text = groupFailures([
    { title: 'one', message: '\u001b[31mError: a\u001b[39m' },
    { title: 'two', message: 'Error: b at http://localhost:41234/x' },
    { title: 'three', message: 'Error: b at http://localhost:51234/x' },
  ]);
  expect(text).toBe(
    '3 tests failed, 2 different messages:\n\n2 × Error: b at http://localhost:[port]/x\n    two\n    three\n\n1 × Error: a\n    one',
  );
});
