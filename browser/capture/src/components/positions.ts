// Positions in a script's text, converted between V8's lines and columns (from 1) and offsets.

export interface ScriptText {
  text: string;
  /** The offset of each line's beginning. */
  starts: number[];
}

/** V8 treats all of these as line ends. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

export function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(LINE_END)) starts.push(match.index + match[0].length);
  return starts;
}

export function offsetOf(starts: number[], line: number, column: number): number | undefined {
  const start = starts[line - 1];
  return start === undefined ? undefined : start + column - 1;
}

export function positionOf(starts: number[], offset: number): { line: number; column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] as number) + 1 };
}

/** The start of the function around an offset, if its text has this beginning and this length. */
export function functionAround(text: string, head: string, length: number, inside: number): number | undefined {
  // Search only where it can begin: a bundle has megabytes, and a page has hundreds of components.
  const from = Math.max(inside - length + 1, 0);
  const found = text.slice(from, inside + head.length).indexOf(head);
  return found >= 0 ? from + found : undefined;
}

/** The start of a function whose text occurs exactly once. */
export function findFunction(text: string, head: string): number | undefined {
  const first = text.indexOf(head);
  return first >= 0 && text.indexOf(head, first + 1) < 0 ? first : undefined;
}

/** The offset of the name of the function that begins at `start`, or of the function if it has no name. */
export function nameOffset(text: string, start: number): number {
  const own = /^(?:async\s+)?(?:function\b\s*\*?|class\b)\s*([\w$]+)/.exec(text.slice(start, start + 200));
  if (own?.[1] && own[1] !== 'extends') return start + own[0].length - own[1].length;
  const before = text.slice(Math.max(start - 200, 0), start);
  const assigned = /([\w$]+)\s*[=:]\s*\(?$/.exec(before);
  return assigned ? start - before.length + assigned.index : start;
}
