import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CaptureEvent } from '../src/core';
import { DEDUPE_MILLIS, PAGE_QUEUE_BYTES, PAGE_QUEUE_ENTRIES } from '../src/limits.gen';

const log = (message: string, level: 'log' | 'error' = 'log'): CaptureEvent => ({ type: 'console', level, message });
const all = () => true;

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
});
afterEach(() => vi.useRealTimers());

test('a full queue drops its oldest entries and counts them', async () => {
  const { Queue } = await import('../src/queue');
  const queue = new Queue();
  for (let index = 0; index < PAGE_QUEUE_ENTRIES; index++) queue.push(log(`${index}`), 1);
  queue.push(log('one more'), 1);
  const { events, dropped } = queue.drain(Number.POSITIVE_INFINITY, all);
  expect([events.length, dropped]).toEqual([PAGE_QUEUE_ENTRIES, 1]);
  expect(events[0]).toContain('"message":"1"');
  expect(queue.held).toBe(0);
});

test('the queue is bounded in bytes, and by half as many when memory is low', async () => {
  const { Queue } = await import('../src/queue');
  for (const share of [1, 0.5]) {
    const queue = new Queue();
    const entry = 100_000;
    for (let index = 0; index < 60; index++) queue.push(log('x'.repeat(entry)), share);
    expect(queue.held).toBeLessThanOrEqual(PAGE_QUEUE_BYTES * share);
    expect(queue.held).toBeGreaterThan(PAGE_QUEUE_BYTES * share - entry - 1_000);
    const { events, dropped } = queue.drain(Number.POSITIVE_INFINITY, all);
    expect(events.length + dropped).toBe(60);
  }
});

test('an event that cannot be serialized is counted, and the others are sent', async () => {
  const { Queue } = await import('../src/queue');
  const queue = new Queue();
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  queue.push({ type: 'console', message: 'bad', args: cycle }, 1);
  queue.push(log('good'), 1);
  expect(queue.drain(Number.POSITIVE_INFINITY, all)).toMatchObject({
    dropped: 1,
    events: [expect.stringContaining('good')],
  });
});

test('an entry that is too large for the server is sent without its extras', async () => {
  const { Queue } = await import('../src/queue');
  const queue = new Queue();
  queue.push({ type: 'error', message: 'kept', _context: { big: 'ü'.repeat(200_000) } }, 1);
  const { events } = queue.drain(Number.POSITIVE_INFINITY, all);
  expect(JSON.parse(events[0] ?? '')).toEqual({ type: 'error', message: 'kept', _enrichments: ['trimmed: too large'] });
});

test('repeats of an error within five seconds become one entry with a count', async () => {
  const { Dedupe } = await import('../src/dedupe');
  const later: CaptureEvent[] = [];
  const dedupe = new Dedupe((event) => later.push(event));
  expect(dedupe.isFirst(log('same', 'error'))).toBe(true);
  for (let index = 0; index < 3; index++) expect(dedupe.isFirst(log('same', 'error'))).toBe(false);
  expect(dedupe.isFirst(log('other', 'error'))).toBe(true);
  expect(dedupe.isFirst(log('same'))).toBe(true);
  vi.advanceTimersByTime(DEDUPE_MILLIS - 1);
  expect(later).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(later).toEqual([{ ...log('same', 'error'), count: 3 }]);
  expect(dedupe.isFirst(log('same', 'error'))).toBe(true);
});
