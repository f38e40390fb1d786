// Where a script says its source map is.

import { SOURCE_FILE_BYTES } from './limits.gen';

/** The last such comment counts; a bundle may hold the sources of others that have their own. */
export function findSourceMappingUrl(script: string): string | undefined {
  const at = Math.max(script.lastIndexOf('//# sourceMappingURL='), script.lastIndexOf('//@ sourceMappingURL='));
  const inBlock = Math.max(script.lastIndexOf('/*# sourceMappingURL='), script.lastIndexOf('/*@ sourceMappingURL='));
  if (at < 0 && inBlock < 0) return undefined;
  const start = Math.max(at, inBlock) + '//# sourceMappingURL='.length;
  // Not by a pattern over the whole: an inline map has megabytes.
  let end = start;
  while (end < script.length && !isEnd(script.charCodeAt(end))) end++;
  const url = script.slice(start, end).replace(/\*\/$/, '');
  // In a text in quotes it is no comment, but part of some code.
  if (!url || /["'`]/.test(url.slice(-2))) return undefined;
  return url;
}

/** Whitespace ends it. */
function isEnd(code: number): boolean {
  return code <= 32 || code === 0x2028 || code === 0x2029;
}

/** What a `data:` address holds, as text. */
export function decodeDataUrl(url: string): string | undefined {
  const comma = url.indexOf(',');
  if (!url.startsWith('data:') || comma < 0) return undefined;
  const data = url.slice(comma + 1);
  try {
    if (!/;\s*base64$/i.test(url.slice(0, comma))) return decodeURIComponent(data);
    const binary = atob(data.includes('%') ? decodeURIComponent(data) : data);
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/** Lines of people are short. What a build put together is not worth showing. */
export function isWrittenByHand(script: string): boolean {
  if (script.length > SOURCE_FILE_BYTES) return false;
  const lines = script.split('\n');
  const long = lines.filter((line) => line.length > 300).length;
  return script.length / lines.length < 100 && long * 20 <= lines.length;
}
