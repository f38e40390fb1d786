// Finds where a script says its source map is.

import { SOURCE_FILE_BYTES } from './limits.gen';

/** The last such comment counts: a bundle may contain sources that have such comments themselves. */
export function findSourceMappingUrl(script: string): string | undefined {
  const at = Math.max(script.lastIndexOf('//# sourceMappingURL='), script.lastIndexOf('//@ sourceMappingURL='));
  const inBlock = Math.max(script.lastIndexOf('/*# sourceMappingURL='), script.lastIndexOf('/*@ sourceMappingURL='));
  if (at < 0 && inBlock < 0) return undefined;
  const start = Math.max(at, inBlock) + '//# sourceMappingURL='.length;
  // Not with one pattern over the whole text: an inline map has megabytes.
  let end = start;
  while (end < script.length && !isEnd(script.charCodeAt(end))) end++;
  const url = script.slice(start, end).replace(/\*\/$/, '');
  // Inside quotes it is part of some code, not a comment.
  if (!url || /["'`]/.test(url.slice(-2))) return undefined;
  return url;
}

/** Whitespace ends it. */
function isEnd(code: number): boolean {
  return code <= 32 || code === 0x2028 || code === 0x2029;
}

/** The content of a `data:` address, as text. */
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

/** Lines written by people are short. Generated code is not worth showing. */
export function isWrittenByHand(script: string): boolean {
  if (script.length > SOURCE_FILE_BYTES) return false;
  const lines = script.split('\n');
  const long = lines.filter((line) => line.length > 300).length;
  return script.length / lines.length < 100 && long * 20 <= lines.length;
}
