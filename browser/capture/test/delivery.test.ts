import { expect, test } from 'vitest';
import { Breaker } from '../src/breaker';
import { ATTEMPTS, createDelivery, type Delivery, limitedBackOff, outcomeOf } from '../src/delivery';

test.each([
  [200, 'stored'],
  [400, 'refused'],
  [401, 'hopeless'],
  [404, 'hopeless'],
  [408, 'failed'],
  [413, 'too-large'],
  [422, 'refused'],
  [429, 'wait'],
  [500, 'broken'],
  [503, 'broken'],
])('%i is %s', (status, outcome) => expect(outcomeOf(status)).toBe(outcome));

test('each failure lengthens the pause until sending ends, and a success starts over', () => {
  const delivery = createDelivery(limitedBackOff([1, 4]));
  expect(delivery.answered('failed', 5)).toEqual({ step: 'again', pause: 1 });
  expect(delivery.answered('failed', 5)).toEqual({ step: 'again', pause: 4 });
  expect(delivery.answered('stored', 5)).toEqual({ step: 'done', pause: 0 });
  expect([1, 2, 3].map(() => delivery.answered('failed', 5).step)).toEqual(['again', 'again', 'end']);
});

test('a pause that the server asks for does not count as a failed attempt', () => {
  const backOff = limitedBackOff([1]);
  const delivery = createDelivery(backOff);
  for (let turn = 0; turn < 5; turn++) expect(delivery.answered('wait', 1, 70)).toEqual({ step: 'again', pause: 70 });
  expect(backOff.isFailing).toBe(false);
});

test('a batch that is too large is halved, and a single entry that is too large is dropped', () => {
  const delivery = createDelivery(limitedBackOff([1]));
  expect(delivery.answered('too-large', 2).step).toBe('split');
  expect(delivery.answered('too-large', 1).step).toBe('drop');
});

test('when the server fails even on an empty batch, no entry is lost', () => {
  const delivery = createDelivery(new Breaker(() => 0));
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) expect(delivery.answered('broken', 9).step).toBe('again');
  expect(delivery.answered('broken', 9).step).toBe('probe');
  expect(delivery.probed(false, 9).step).toBe('again');
  expect(delivery.isSearching(9)).toBe(false);
});

/** Sends entries to a server that fails on poisonous ones, as hosts do; returns what was stored and what was lost. */
function sendAll(delivery: Delivery, entries: number[], poison: number[]) {
  const waiting = [entries];
  const found = { stored: [] as number[], lost: [] as number[], requests: 0 };
  for (let batch = waiting[0]; batch; batch = waiting[0]) {
    if (++found.requests > 200) throw new Error('it does not end');
    const breaks = batch.some((entry) => poison.includes(entry));
    let { step } = delivery.answered(breaks ? 'broken' : 'stored', batch.length);
    if (step === 'probe') ({ step } = delivery.probed(true, batch.length));
    if (step === 'again') continue;
    waiting.shift();
    const half = Math.ceil(batch.length / 2);
    if (step === 'split') waiting.unshift(batch.slice(0, half), batch.slice(half));
    else (step === 'done' ? found.stored : found.lost).push(...batch);
  }
  return found;
}

test.each([[[0]], [[49]], [[7, 8]], [[0, 20, 49]]])('of 50 entries only the poisonous ones are lost: %j', (poison) => {
  const entries = Array.from({ length: 50 }, (_, index) => index);
  for (const backOff of [limitedBackOff([1, 4]), new Breaker(() => 0)]) {
    const delivery = createDelivery(backOff);
    const { stored, lost } = sendAll(delivery, entries, poison);
    expect(lost).toEqual(poison);
    expect([...stored, ...lost].sort((a, b) => a - b)).toEqual(entries);
    expect(delivery.isSearching(0)).toBe(false);
    expect(backOff.isFailing).toBe(false);
  }
});
