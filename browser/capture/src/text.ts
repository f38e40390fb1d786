// Cuts texts to size without splitting a character.

import { stringify } from './natives';

/** At most `chars` UTF-16 units, never ending in half of a surrogate pair. */
export function cut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const last = text.charCodeAt(chars - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? chars - 1 : chars);
}

/**
 * JSON text without lone surrogates. A lone surrogate of the page's is written as an escape, and parsers reject the
 * whole text around such an escape.
 */
export function toJson(value: unknown): string {
  const text = stringify(value);
  if (!text.includes('\\ud')) return text;
  return text.replace(/\\(?:ud...|[\s\S])/g, (code) => (code.length > 2 ? '\\ufffd' : code));
}

/** How many bytes a text takes as UTF-8. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) bytes += unit > 0x7ff ? 2 : 1;
    // The two halves of a pair take four bytes together: two units, plus the two that the first one added.
    const paired = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
    if (paired) index++;
  }
  return bytes;
}

/** At most `bytes` of UTF-8. */
export function cutBytes(text: string, bytes: number): { text: string; truncated: boolean } {
  if (text.length * 3 <= bytes || (text.length <= bytes && byteLength(text) <= bytes))
    return { text, truncated: false };
  const part = cut(text, bytes);
  const encoded = new TextEncoder().encode(part);
  if (encoded.length <= bytes) return { text: part, truncated: true };
  // In stream mode a decoder keeps an incomplete character to itself.
  return { text: new TextDecoder().decode(encoded.subarray(0, bytes), { stream: true }), truncated: true };
}
