// Functions that run in the page's own world. They are sent there as text, so none of them can refer to anything
// outside itself.

import type { ScriptOutcome } from 'gasoline-capture/wire.gen';

/** Compiles and runs a text, if the page allows that. `runner` is the source of `runInPage`. */
export async function runFromText(
  runner: string,
  script: string,
  millis: number,
): Promise<ScriptOutcome | 'forbidden'> {
  let make: FunctionConstructor;
  try {
    make = Object.getPrototypeOf(async () => {}).constructor;
    make('');
  } catch {
    return 'forbidden';
  }
  const compile = (): ((console: Console) => Promise<unknown>) => {
    try {
      return make('console', `return (${script}\n)`) as never;
    } catch {
      // Not an expression: compile it as statements.
      return make('console', script) as never;
    }
  };
  const run = make(`return (${runner})`)() as unknown as Promise<typeof runInPage>;
  try {
    const body = compile();
    return await (await run)(body, millis);
  } catch (error) {
    const { name, message } = error as Error;
    return { success: false, value: null, type: 'error', error: { name, message }, console: [] };
  }
}

/** Runs the code with its own console and within its time, and makes a plain value of the result. */
export async function runInPage(body: (console: Console) => Promise<unknown>, millis: number): Promise<ScriptOutcome> {
  const MOST_VALUES = 2_000;
  const MOST_DEPTH = 8;
  const MOST_CHARS = 20_000;
  const MOST_LINES = 100;
  const LEVELS = ['log', 'info', 'warn', 'error', 'debug'];
  const lines: ScriptOutcome['console'] = [];
  let values = 0;

  const cut = (text: string) =>
    text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…[${text.length} chars]` : text;
  const kindOf = (value: unknown): string => {
    if (value === null) return 'null';
    if (Array.isArray(value)) return 'array';
    if (value instanceof Node) return 'node';
    if (value instanceof Error) return 'error';
    return typeof value;
  };
  /** As many items as there is room for, and the number of those left out. */
  const each = (items: Iterable<unknown>, count: number, inner: (item: unknown) => unknown): unknown[] => {
    const out: unknown[] = [];
    for (const item of items) {
      if (values >= MOST_VALUES) {
        out.push(`[${count - out.length} more]`);
        break;
      }
      out.push(inner(item));
    }
    return out;
  };
  const plain = (value: unknown, depth: number, above: object[]): unknown => {
    values++;
    switch (typeof value) {
      case 'string':
        return cut(value);
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'boolean':
        return value;
      case 'bigint':
        return `${value}n`;
      case 'undefined':
        return above.length === 0 ? null : '[undefined]';
      case 'symbol':
        return String(value);
      case 'function':
        return `[Function ${value.name || 'anonymous'}]`;
    }
    if (value === null) return null;
    const object = value as object;
    if (above.includes(object)) return '[circular]';
    if (depth >= MOST_DEPTH) return Array.isArray(object) ? `[array of ${object.length}]` : '[object]';
    const inner = (item: unknown) => plain(item, depth + 1, [...above, object]);
    if (object instanceof Element) return cut((object.cloneNode(false) as Element).outerHTML);
    if (object instanceof Node) return cut(object.textContent ?? object.nodeName);
    if (object instanceof Error) return { name: object.name, message: object.message, stack: cut(object.stack ?? '') };
    if (object instanceof Date) return Number.isNaN(object.getTime()) ? 'Invalid Date' : object.toISOString();
    if (object instanceof RegExp) return String(object);
    if (object instanceof Promise) return '[Promise]';
    if (Array.isArray(object)) return each(object, object.length, inner);
    if (object instanceof NodeList || object instanceof HTMLCollection) return each(object, object.length, inner);
    if (object instanceof Set) return each(object, object.size, inner);
    if (object instanceof Map) return each(object, object.size, (pair) => (pair as unknown[]).map(inner));
    if (ArrayBuffer.isView(object)) return `[${object.constructor.name} of ${object.byteLength} bytes]`;
    if (object === window) return '[window]';
    const fields: Record<string, unknown> = {};
    const keys = Object.keys(object);
    for (const [index, key] of keys.entries()) {
      if (values >= MOST_VALUES) {
        fields['…'] = `[${keys.length - index} more]`;
        break;
      }
      try {
        fields[key] = inner((object as Record<string, unknown>)[key]);
      } catch (error) {
        fields[key] = `[throws ${error}]`;
      }
    }
    // Such as a DOMRect, whose fields are all inherited.
    const { toJSON } = object as { toJSON?: () => unknown };
    if (Object.keys(fields).length === 0 && typeof toJSON === 'function') return inner(toJSON.call(object));
    return fields;
  };
  const show = (value: unknown): string => {
    if (typeof value === 'string') return value;
    try {
      return JSON.stringify(plain(value, 0, [])) ?? String(value);
    } catch (error) {
      return `[${error}]`;
    }
  };
  const listening = new Proxy(console, {
    get(target, name) {
      const native = Reflect.get(target, name);
      if (typeof native !== 'function') return native;
      return (...args: unknown[]) => {
        if (LEVELS.includes(String(name)) && lines.length < MOST_LINES) {
          lines.push({ level: String(name), message: cut(args.map(show).join(' ')) });
        }
        return Reflect.apply(native, target, args);
      };
    },
  });

  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(Object.assign(new Error(`not done after ${millis} ms`), { name: 'Timeout' }));
    timer = setTimeout(fail, millis);
  });
  try {
    const result = await Promise.race([body(listening), late]);
    return { success: true, value: plain(result, 0, []), type: kindOf(result), console: lines };
  } catch (thrown) {
    const error =
      thrown instanceof Error
        ? { name: thrown.name, message: cut(thrown.message), stack: cut(thrown.stack ?? '') }
        : { name: kindOf(thrown), message: cut(show(thrown)) };
    return { success: false, value: null, type: 'error', error, console: lines };
  } finally {
    clearTimeout(timer);
  }
}
