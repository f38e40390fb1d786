// Stacks without our own frames, and where they point.

import { define, ownProperty, remove } from './natives';
import { cut } from './text';

const STACK_CHARS = 8_192;

let own: string | undefined;

/** Our script's address, as it stands in stacks. Found when it is first needed: a stack makes the browser parse us twice. */
function ownAddress(): string {
  own ??= /(\S+?):\d+:\d+\)?$/.exec(plainStack(new Error())?.split('\n')[1] ?? '')?.[1]?.replace(/^.*\(/, '') ?? '';
  return own;
}

/** `undefined` when none of our frames is in it. */
function withoutOurs(stack: string): string | undefined {
  const ours = ownAddress();
  if (!ours || !stack.includes(ours)) return undefined;
  return stack
    .split('\n')
    .filter((line) => !line.includes(ours))
    .join('\n');
}

export function cleanStack(stack: string): string {
  return cut(withoutOurs(stack) ?? stack, STACK_CHARS);
}

/** Where a call came from, as text. Writing it takes longer than noting it, so the two are apart. */
export function stackOf(noted: Error): string | undefined {
  // A page's own formatting may make anything of it.
  const stack: unknown = plainStack(noted);
  if (typeof stack !== 'string') return undefined;
  const frames = cleanStack(stack.replace(/^Error\n/, ''));
  return frames || undefined;
}

export function topFrame(stack: string | undefined): { filename?: string; lineno?: number; colno?: number } {
  const match = stack && /(?:\(|at |@)((?:https?|file|blob|webpack|app)\S*?):(\d+):(\d+)/.exec(stack);
  return match ? { filename: match[1] as string, lineno: Number(match[2]), colno: Number(match[3]) } : {};
}

/** A page may format stacks itself; ours are no business of its. */
function plainStack(noted: Error): string | undefined {
  const own = ownProperty(Error, 'prepareStackTrace');
  if (!own) return noted.stack;
  // One that can't be set aside would see our stack, and be seen to.
  if (!own.configurable) return undefined;
  remove(Error, 'prepareStackTrace');
  try {
    return noted.stack;
  } finally {
    define(Error, 'prepareStackTrace', own);
  }
}

/** Takes our frames out of an error that a native function made on our call. */
export function withoutUs(error: unknown): unknown {
  try {
    const { stack } = error as Error;
    const kept = typeof stack === 'string' ? withoutOurs(stack) : undefined;
    if (kept !== undefined) {
      define(error, 'stack', { value: kept, configurable: true, writable: true, enumerable: false });
    }
  } catch {
    // A value of another kind, or one that can't be changed.
  }
  return error;
}
