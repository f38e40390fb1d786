// Everything the page writes to the console.

import type { Core } from './core';
import { withErrorContext } from './error-context';
import { nowMillis, soon, stringify } from './natives';
import { noteCaller, patch } from './patch';
import { reactiveLibraries } from './reactive';
import { allPlain, isError, toText } from './serialize';
import { cleanStack, stackOf, topFrame } from './stack';
import { cut } from './text';
import type { Level } from './wire.gen';

const MESSAGE_CHARS = 4_096;

/** What each method writes, and at which level. Methods that only control the display are missing here. */
const LEVELS: Record<string, Level> = {
  debug: 'debug',
  log: 'log',
  info: 'info',
  warn: 'warn',
  error: 'error',
  assert: 'error',
  trace: 'debug',
  table: 'log',
  dir: 'log',
  dirxml: 'log',
  group: 'log',
  groupCollapsed: 'log',
  count: 'info',
  timeLog: 'info',
  timeEnd: 'info',
};
const RANK: Record<Level, number> = { debug: 0, log: 0, info: 0, warn: 1, error: 2 };
const LEAST = { all: 0, warn: 1, error: 2 };

export function installConsole(core: Core): void {
  const counts = new Map<string, number>();
  let recording = false;
  for (const [method, level] of Object.entries(LEVELS)) {
    patch(console, method, {
      called(_, args: unknown[]) {
        // The page's code that runs while we read its values may log, too. That nested call is not recorded.
        if (!core.alive || recording) return;
        recording = true;
        core.intercept(() => look(method, level, args));
        recording = false;
      },
    });
  }

  function look(method: string, level: Level, args: unknown[]): void {
    const { switches: settings } = core;
    if (!settings.console || RANK[level] < LEAST[settings.level]) return;
    let shown = args;
    if (method === 'assert') {
      if (args[0]) return;
      shown = ['Assertion failed:', ...args.slice(1)];
    } else if (method === 'trace') {
      shown = ['Trace:', ...args];
    } else if (method === 'count') {
      const label = args[0] === undefined ? 'default' : toText(args[0]);
      const count = (counts.get(label) ?? 0) + 1;
      if (counts.size < 1_000) counts.set(label, count);
      shown = [`${label}: ${count}`];
    } else if (method === 'timeLog' || method === 'timeEnd') {
      shown = [`${method} ${args[0] === undefined ? 'default' : toText(args[0])}`, ...args.slice(1)];
    }
    const error = shown.find(isError);
    const loud = RANK[level] > 0 || method === 'trace';
    const known = typeof error?.stack === 'string' ? cleanStack(error.stack) : undefined;
    const noted = known === undefined && loud ? noteCaller() : undefined;
    const id = core.id();
    const ts = nowMillis();
    const url = location.href;
    const record = () => {
      const plain = allPlain(shown);
      const event = {
        type: 'console' as const,
        id,
        ts,
        level,
        source: 'console',
        message: cut(format(shown, plain), MESSAGE_CHARS),
        url,
        ...(plain.some(isObject) && { args: plain }),
        ...(known && { stack: known, ...topFrame(known) }),
      };
      const urgent = level === 'error';
      const sent = urgent ? withErrorContext(core, event) : event;
      const finish = () => {
        const stack = noted && stackOf(noted);
        if (stack) Object.assign(sent, { stack, ...topFrame(stack) });
      };
      core.emit(sent, { urgent, ...(noted && { finish }) });
    };
    // Reading a reactive object inside an effect makes the effect depend on it; after the effect, reads are not
    // tracked. Without such a library, values are read at the call. (Vue's can be read untracked: see `serialize.ts`.)
    if (shown.some(isObject) && reactiveLibraries().others) soon(record);
    else record();
  }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** The line as a console would show it: format directives filled in, styles removed, the rest joined. */
export function format(args: unknown[], values: unknown[]): string {
  const rest = values.map((value, index) => {
    const arg = args[index];
    // Use the value that was read before: a getter that throws is not called again.
    if (isError(arg) && typeof value === 'object') {
      const { name, message } = value as { name: string; message: string };
      return `${name}: ${message}`;
    }
    return typeof value === 'string' ? value : stringify(value);
  });
  const first = args[0];
  if (typeof first !== 'string' || !first.includes('%') || rest.length < 2) return rest.join(' ');
  let next = 1;
  const head = first.replace(/%([sdifoOc%])/g, (whole, directive: string) => {
    if (directive === '%') return '%';
    if (next >= rest.length) return whole;
    const index = next++;
    const text = rest[index] as string;
    const number = args[index];
    if (directive === 'c') return '';
    if (directive === 'd' || directive === 'i') return typeof number === 'number' ? String(Math.trunc(number)) : text;
    if (directive === 'f') return typeof number === 'number' ? String(number) : text;
    return text;
  });
  return [head, ...rest.slice(next)].join(' ');
}
