import { expect, test } from 'vitest';
import { keepOneIn, Rate } from '../src/sample';

test.each([
  [0, 1],
  [9.9, 1],
  [10, 1],
  [10.1, 2],
  [48.2, 5],
  [50, 5],
  [50.1, 11],
  [200, 40],
  [200.1, 101],
  [1_000, 500],
])('at %d messages a second one in %d is kept', (rate, expected) => {
  expect(keepOneIn(rate)).toBe(expected);
});

test('the kept rate stays at or below its target in each row of the table', () => {
  for (const [from, to, target] of [
    [10, 50, 10],
    [50.1, 200, 5],
    [200.1, 5_000, 2],
  ] as const) {
    for (let rate = from; rate <= to; rate += 0.7) {
      expect(rate / keepOneIn(rate)).toBeLessThanOrEqual(target);
      // It is not far below the target either: rounding up costs at most half.
      expect(rate / keepOneIn(rate)).toBeGreaterThan(target / 2 - 0.1);
    }
  }
});

test('the rate is an average over the last five whole seconds', () => {
  const rate = new Rate();
  for (let second = 1; second <= 5; second++) for (let count = 0; count < 20; count++) rate.add(second);
  expect(rate.perSecond(6)).toBe(20);
  expect(rate.perSecond(7)).toBe(16);
  expect(rate.perSecond(11)).toBe(0);
});

test('a new connection is judged by the seconds it has', () => {
  const rate = new Rate();
  for (let count = 0; count < 30; count++) rate.add(100);
  expect(rate.perSecond(100)).toBe(0);
  expect(rate.running).toBe(30);
  expect(rate.perSecond(101)).toBe(30);
  expect(rate.perSecond(102)).toBe(15);
  // The page's first second is second 0.
  const first = new Rate();
  for (let second = 0; second < 3; second++) for (let count = 0; count < 6; count++) first.add(second);
  expect(first.perSecond(3)).toBe(6);
});
