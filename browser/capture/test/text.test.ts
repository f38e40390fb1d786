import { expect, test } from 'vitest';
import { byteLength, cut, cutBytes, toJson } from '../src/text';

test.each(['', 'plain', 'grüße', '€uro', '😀😀', 'a😀b', '\ud83d alone', 'x'.repeat(1_000)])('bytes of %j', (text) => {
  expect(byteLength(text)).toBe(new TextEncoder().encode(text).length);
});

test('cutting splits no character', () => {
  expect(cut('a😀', 2)).toBe('a');
  expect(cut('a😀', 3)).toBe('a😀');
  for (let bytes = 0; bytes < 12; bytes++) {
    const { text, truncated } = cutBytes('a😀ü€', bytes);
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(bytes);
    expect('a😀ü€'.startsWith(text)).toBe(true);
    expect(truncated).toBe(bytes < 10);
  }
});

test('a lone surrogate is replaced, whatever surrounds it', () => {
  for (const half of ['\ud83d', '\ude00', '\udfff', '\ud800']) {
    const value = {
      [half]: [`a${half}`, `\\${half}\\`, `${half}${half}`, '\\ud800 is written so', '😀', `"\n${half}`],
    };
    const read = JSON.parse(toJson(value));
    expect(read).toEqual({
      '\ufffd': ['a\ufffd', '\\\ufffd\\', '\ufffd\ufffd', '\\ud800 is written so', '😀', '"\n\ufffd'],
    });
  }
  expect(toJson({ a: '😀\\u' })).toBe(JSON.stringify({ a: '😀\\u' }));
});
