import { expect, test } from 'vitest';
import { byteLength, cut, cutBytes } from '../src/text';

test.each(['', 'plain', 'grüße', '€uro', '😀😀', 'a😀b', '\ud83d alone', 'x'.repeat(1_000)])('bytes of %j', (text) => {
  expect(byteLength(text)).toBe(new TextEncoder().encode(text).length);
});

test('no character is cut in two', () => {
  expect(cut('a😀', 2)).toBe('a');
  expect(cut('a😀', 3)).toBe('a😀');
  for (let bytes = 0; bytes < 12; bytes++) {
    const { text, truncated } = cutBytes('a😀ü€', bytes);
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(bytes);
    expect('a😀ü€'.startsWith(text)).toBe(true);
    expect(truncated).toBe(bytes < 10);
  }
});
