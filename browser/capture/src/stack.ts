// Stacks without our own frames, and where they point.

import { cut } from './text';

const STACK_CHARS = 8_192;
/** Our script's address, as it stands in stacks. */
const OWN = /(\S+?):\d+:\d+\)?$/.exec(new Error().stack?.split('\n')[1] ?? '')?.[1]?.replace(/^.*\(/, '');

export function cleanStack(stack: string): string {
  const kept = OWN ? stack.split('\n').filter((line) => !line.includes(OWN)) : [stack];
  return cut(kept.join('\n'), STACK_CHARS);
}

/** The stack of the page's own call; `undefined` where there is none. */
export function callStack(): string | undefined {
  const stack = new Error().stack;
  if (!stack) return undefined;
  const frames = cleanStack(stack.replace(/^Error\n/, ''));
  return frames || undefined;
}

export function topFrame(stack: string | undefined): { filename?: string; lineno?: number; colno?: number } {
  const match = stack && /(?:\(|at |@)((?:https?|file|blob|webpack|app)\S*?):(\d+):(\d+)/.exec(stack);
  return match ? { filename: match[1] as string, lineno: Number(match[2]), colno: Number(match[3]) } : {};
}
