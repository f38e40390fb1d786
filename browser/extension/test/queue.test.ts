// The worker's queue, with a storage that can stop at any point, as when Chrome stops a worker.

import { beforeEach, expect, test } from 'vitest';
import { EventQueue } from '../src/background/queue';

const kept = new Map<string, unknown>();
beforeEach(() => {
  kept.clear();
  (globalThis as { chrome?: unknown }).chrome = {
    storage: {
      session: {
        get: async () => Object.fromEntries([...kept].map(([key, value]) => [key, structuredClone(value)])),
        set: async (items: Record<string, unknown>) => {
          for (const [key, value] of Object.entries(items)) kept.set(key, structuredClone(value));
        },
        remove: async (keys: string[]) => {
          for (const key of keys) kept.delete(key);
        },
      },
    },
  };
});

const balanced = ({ accounting: { captured, sent, buffered, dropped, rejected } }: EventQueue) =>
  captured - sent - buffered - dropped - rejected;

test('a delivery that another overtook is not a repeat', async () => {
  const queue = await EventQueue.restore();
  await queue.add('page', 0, ['a'], 0);
  await queue.add('page', 2, ['c'], 0);
  expect(queue.isRepeat('page', 0)).toBe(true);
  expect(queue.isRepeat('page', 2)).toBe(true);
  expect(queue.isRepeat('page', 1)).toBe(false);
  await queue.add('page', 1, ['b'], 0);
  expect(queue.isRepeat('page', 1)).toBe(true);
  const again = await EventQueue.restore();
  expect([0, 1, 2, 3].map((number) => again.isRepeat('page', number))).toEqual([true, true, true, false]);
});

test('the accounting balances when everything is cleared while a batch is in flight', async () => {
  const queue = await EventQueue.restore();
  await queue.add('page', 0, ['a', 'b'], 0);
  await queue.take();
  await queue.add('page', 1, ['c'], 0);
  await queue.clear();
  await queue.sent(2, 0);
  expect(balanced(queue)).toBe(0);
});

test('halving a batch again loses nothing, in memory or in storage', async () => {
  const queue = await EventQueue.restore();
  await queue.add('page', 0, ['a', 'b', 'c', 'd'], 0);
  await queue.add('page', 1, ['x'.repeat(1_048_576)], 0);
  await queue.add('page', 2, ['e'], 0);
  await queue.take();
  await queue.split();
  await queue.sent(2, 0);
  await queue.take();
  await queue.split();
  const seen: string[] = [];
  const restored = await EventQueue.restore();
  for (let batch = await restored.take(); batch; batch = await restored.take()) {
    seen.push(...batch.events);
    await restored.sent(batch.events.length, 0);
  }
  expect(seen.map((event) => event[0])).toEqual(['c', 'd', 'x', 'e']);
  expect(balanced(restored)).toBe(0);
});

test('the accounting balances after a worker stopped between writing and removing', async () => {
  const queue = await EventQueue.restore();
  await queue.add('page', 0, ['a', 'b'], 0);
  await queue.take();
  const storage = (globalThis as unknown as { chrome: { storage: { session: { remove: unknown } } } }).chrome.storage
    .session;
  storage.remove = () => new Promise(() => {});
  void queue.sent(2, 0);
  await new Promise((done) => setTimeout(done, 10));
  const restored = await EventQueue.restore();
  const batch = await restored.take();
  // The server recognises the batch by its id and answers as before.
  if (batch) void restored.sent(2, 0);
  await new Promise((done) => setTimeout(done, 10));
  expect(balanced(restored)).toBe(0);
});
