import { expect, test } from 'vitest';
import { anchorOf, topFor } from '../src/timeline/anchor';

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, place) => ({ c: from + place, t: (from + place) * 10 }));
const view = { top: 505, height: 100, line: 10 };

test('the first line in sight stays in place when older ones leave and new ones come', () => {
  const anchor = anchorOf(rows(0, 100), undefined, view);
  expect(anchor).toEqual({ c: 50, t: 500, below: -5 });
  expect(anchor && topFor(rows(20, 140), anchor, 10)).toBe(305);
});

test('the chosen line is held on to while it is in sight', () => {
  expect(anchorOf(rows(0, 100), 55, view)).toEqual({ c: 55, t: 550, below: 45 });
  expect(anchorOf(rows(0, 100), 70, view)?.c).toBe(50);
});

test('a line that is gone is stood in for by the next', () => {
  const anchor = { c: 50, t: 500, below: -5 };
  expect(topFor(rows(52, 140), anchor, 10)).toBe(5);
  expect(topFor(rows(10, 40), anchor, 10)).toBe(305);
  expect(topFor([], anchor, 10)).toBe(5);
});
