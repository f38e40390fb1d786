// Turns any value into JSON without running the page's code. Getters are not called, proxies that track reads are
// bypassed where they allow it, and size is bounded in depth, width, nodes and characters.

import { attribute, isA, ownProperty, reflect, stringify } from './natives';
import { reactiveLibraries } from './reactive';
import { cut } from './text';

const DEPTH = 5;
const KEYS = 50;
const ITEMS = 100;
const NODES = 500;
const STRING_CHARS = 8_192;
/** All strings of one value together may have this length. */
const TOTAL_CHARS = 16_384;

interface Budget {
  nodes: number;
  chars: number;
  path: object[];
}

export function toPlain(value: unknown): unknown {
  return plain(value, 0, { nodes: NODES, chars: TOTAL_CHARS, path: [] });
}

/** Serializes the arguments of one call, which share the budget of one value. */
export function allPlain(values: unknown[]): unknown[] {
  const budget = { nodes: NODES, chars: TOTAL_CHARS, path: [] };
  const shown = values.slice(0, ITEMS).map((value) => plain(value, 0, budget));
  return values.length > ITEMS ? [...shown, `[… ${values.length - ITEMS} more]`] : shown;
}

/** A value on one line, as a console shows it. */
export function toText(value: unknown): string {
  const flat = toPlain(value);
  return typeof flat === 'string' ? flat : stringify(flat);
}

function plain(value: unknown, depth: number, budget: Budget): unknown {
  switch (typeof value) {
    case 'string':
      return text(value, budget);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return `${value}n`;
    case 'symbol':
      return value.toString();
    case 'undefined':
      return 'undefined';
    case 'function':
      return functionText(value);
    case 'boolean':
      return value;
  }
  if (value === null) return null;
  if (--budget.nodes < 0) return '[…]';
  const object = value as object;
  if (budget.path.includes(object)) return '[Circular]';
  budget.path.push(object);
  try {
    return known(object, depth, budget);
  } catch {
    return '[Unreadable]';
  } finally {
    budget.path.pop();
  }
}

function text(value: string, budget: Budget): string {
  const kept = cut(value, Math.min(STRING_CHARS, Math.max(0, budget.chars)));
  budget.chars -= kept.length;
  return kept;
}

function functionText(value: object): string {
  try {
    const name = own(value, 'name');
    return typeof name === 'string' && name ? `[Function: ${cut(name, 100)}]` : '[Function]';
  } catch {
    return '[Function]';
  }
}

function known(object: object, depth: number, budget: Budget): unknown {
  if (isError(object)) return errorFields(object, depth, budget);
  if (isA(object, Node)) return nodeText(object);
  if (isA(object, Window)) return '[Window]';
  if (isA(object, Date)) return Number.isNaN(object.getTime()) ? 'Invalid Date' : object.toISOString();
  if (isA(object, RegExp)) return `/${object.source}/${object.flags}`;
  if (isA(object, Event)) return `[${object.constructor.name}: ${object.type}]`;
  if (isA(object, Promise)) return '[Promise]';
  if (isA(object, URL) || isA(object, URLSearchParams)) return text(object.toString(), budget);
  if (isA(object, ArrayBuffer)) return `[ArrayBuffer(${object.byteLength})]`;
  if (ArrayBuffer.isView(object)) return `[${object.constructor.name}(${object.byteLength})]`;
  if (isA(object, Map)) {
    const entries = [...Map.prototype.entries.call(object)];
    return { '[Map]': list(entries, entries.length, depth, budget) };
  }
  if (isA(object, Set)) {
    const values = [...Set.prototype.values.call(object)];
    return { '[Set]': list(values, values.length, depth, budget) };
  }
  // Vue's reactive proxies track reads; the object behind them does not. Only read where Vue is present: other proxies
  // may react in any way.
  const raw = reactiveLibraries().vue ? ((object as { __v_raw?: object }).__v_raw ?? object) : object;
  if (depth >= DEPTH) return Array.isArray(raw) ? '[Array]' : '[Object]';
  if (Array.isArray(raw)) return list(raw, raw.length, depth, budget);
  return fields(raw, depth, budget, {});
}

function list(values: ArrayLike<unknown>, length: number, depth: number, budget: Budget): unknown[] {
  const out: unknown[] = [];
  for (let index = 0; index < length; index++) {
    if (index >= ITEMS || budget.nodes <= 0) {
      out.push(`[… ${length - index} more]`);
      break;
    }
    out.push(plain(own(values, String(index)), depth + 1, budget));
  }
  return out;
}

function fields(object: object, depth: number, budget: Budget, out: Record<string, unknown>): Record<string, unknown> {
  let count = 0;
  const keys = reflect.ownKeys(object);
  for (const key of keys) {
    if (typeof key === 'symbol') continue;
    const descriptor = ownProperty(object, key);
    if (!descriptor?.enumerable) continue;
    if (++count > KEYS || budget.nodes <= 0) {
      out['…'] = `${keys.length - count + 1} more`;
      break;
    }
    budget.chars -= key.length;
    // A getter is the page's code: it may throw, loop or change things.
    out[cut(key, 200)] = 'value' in descriptor ? plain(descriptor.value, depth + 1, budget) : '[Getter]';
  }
  return out;
}

/** A data property's value. Getters are not called. */
function own(object: object, key: PropertyKey): unknown {
  const descriptor = ownProperty(object, key);
  return descriptor && ('value' in descriptor ? descriptor.value : '[Getter]');
}

export function isError(value: unknown): value is Error {
  try {
    // Errors of other frames are errors, too.
    if (isA(value, Error) || isA(value, DOMException)) return true;
    return (Error as { isError?(value: unknown): boolean }).isError?.(value) ?? false;
  } catch {
    // Any access to a revoked proxy throws.
    return false;
  }
}

function errorFields(error: Error, depth: number, budget: Budget): unknown {
  const out: Record<string, unknown> = {
    name: text(String(error.name), budget),
    message: text(String(error.message), budget),
  };
  if (typeof error.stack === 'string') out.stack = text(error.stack, budget);
  if (depth < DEPTH) {
    if (ownProperty(error, 'cause')) out.cause = plain(own(error, 'cause'), depth + 1, budget);
    if (isA(error, AggregateError)) out.errors = plain(error.errors, depth + 1, budget);
    fields(error, depth, budget, out);
  }
  return out;
}

/** An element's opening tag is enough to find it again. */
function nodeText(node: Node): string {
  if (isA(node, Element)) {
    const tag = node.localName;
    const attributes = ['id', 'class', 'name', 'type', 'data-testid'].flatMap((name) => {
      const value = attribute(node, name);
      return value === null ? [] : [` ${name}="${cut(value, 80)}"`];
    });
    return `<${tag}${attributes.join('')}>`;
  }
  return isA(node, Document) ? '[Document]' : `[${node.nodeName}] ${cut(node.nodeValue ?? '', 100)}`.trim();
}
