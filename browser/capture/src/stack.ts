// Removes our own frames from stacks, and reads where stacks point.

import { define, ownProperty, remove } from './natives';
import { cut } from './text';

const STACK_CHARS = 8_192;

let own: string | undefined;

/**
 * Our script's address as it appears in stacks. Determined on first use, because formatting a stack makes the browser
 * parse our script twice.
 */
function ownAddress(): string {
  own ??= /(\S+?):\d+:\d+\)?$/.exec(plainStack(new Error())?.split('\n')[1] ?? '')?.[1]?.replace(/^.*\(/, '') ?? '';
  return own;
}

/** `undefined` when the stack has none of our frames. */
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

/** The caller as text. Formatting takes longer than recording, so the two are separate. */
export function stackOf(noted: Error): string | undefined {
  // A page's own `prepareStackTrace` may return anything.
  const stack: unknown = plainStack(noted);
  if (typeof stack !== 'string') return undefined;
  const frames = cleanStack(stack.replace(/^Error\n/, ''));
  return frames || undefined;
}

export function topFrame(stack: string | undefined): { filename?: string; lineno?: number; colno?: number } {
  const match = stack && /(?:\(|at |@)((?:https?|file|blob|webpack|app)\S*?):(\d+):(\d+)/.exec(stack);
  return match ? { filename: match[1] as string, lineno: Number(match[2]), colno: Number(match[3]) } : {};
}

/** A page may format stacks itself; its code must not see ours. */
function plainStack(noted: Error): string | undefined {
  const own = ownProperty(Error, 'prepareStackTrace');
  if (!own) return noted.stack;
  // A `prepareStackTrace` that cannot be set aside would see our stack, and the page would notice.
  if (!own.configurable) return undefined;
  remove(Error, 'prepareStackTrace');
  try {
    return noted.stack;
  } finally {
    define(Error, 'prepareStackTrace', own);
  }
}

/** Removes our frames from an error that a native function threw on our call. */
export function withoutUs(error: unknown): unknown {
  try {
    const { stack } = error as Error;
    const kept = typeof stack === 'string' ? withoutOurs(stack) : undefined;
    if (kept !== undefined) {
      define(error, 'stack', { value: kept, configurable: true, writable: true, enumerable: false });
    }
  } catch {
    // The value is not an error, or it cannot be changed.
  }
  return error;
}
