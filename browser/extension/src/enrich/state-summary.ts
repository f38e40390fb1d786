// Summarizes a state: its keys and their types, and the few values that may explain an error.

import { field, isObject, keysOf } from 'gasoline-capture/components/read';
import { STATE_BYTES, STATE_SLICE_ENTRIES, STATE_VALUE_CHARS } from 'gasoline-capture/limits.gen';
import { SENSITIVE_STATE } from 'gasoline-capture/sensitive.gen';

export interface StateSnapshot {
  source: string;
  keys: Record<string, { type: string; keys?: string[] }>;
  relevantSlice: Record<string, unknown>;
}

const TOP_KEYS = 50;
const INNER_KEYS = 20;
/** Names whose values show how something went. */
const TELLING = /error|loading|status|failed/i;
export const REDACTED = '[redacted]';

/** `recent`: paths that changed recently. `unwrap`: reads values that a library wraps. */
export function summarize(
  source: string,
  state: unknown,
  message: string,
  recent: ReadonlySet<string>,
  unwrap: (value: unknown) => unknown = (value) => value,
): StateSnapshot {
  const keys: StateSnapshot['keys'] = {};
  const mentioned = wordsOf(message);
  const candidates: Array<{ path: string; value: unknown; rank: number }> = [];
  const consider = (path: string[], value: unknown) => {
    const rank = rankOf(path, mentioned, recent);
    if (rank > 0) candidates.push({ path: path.join('.'), value: shown(path.at(-1) as string, value), rank });
  };
  for (const key of keysOf(state, TOP_KEYS)) {
    const value = unwrap(field(state, key));
    const type = kindOf(value);
    const inner = type === 'object' ? keysOf(value, INNER_KEYS) : [];
    // Functions that are stored beside the state say nothing about it.
    if (type === 'function') continue;
    keys[key] = { type, ...(inner.length > 0 && { keys: inner }) };
    if (type !== 'object') consider([key], value);
    for (const name of inner) {
      const part = unwrap(field(value, name));
      if (kindOf(part) !== 'function') consider([key, name], part);
    }
  }
  const best = candidates.sort((a, b) => b.rank - a.rank).slice(0, STATE_SLICE_ENTRIES);
  return fit({ source, keys, relevantSlice: Object.fromEntries(best.map(({ path, value }) => [path, value])) });
}

/** The words of a message in lower case; names in camel case also by their parts. */
export function wordsOf(message: string): Set<string> {
  const words = message.match(/[A-Za-z][A-Za-z0-9]*/g) ?? [];
  const parts = words.flatMap((word) => [word, ...word.split(/(?=[A-Z])/)]);
  return new Set(parts.map((word) => word.toLowerCase()).filter((word) => word.length > 2));
}

function rankOf(path: string[], mentioned: Set<string>, recent: ReadonlySet<string>): number {
  const last = path.at(-1) as string;
  const named = path.filter((name) => isMentioned(name, mentioned)).length;
  const changed = recent.has(path.join('.')) || recent.has(path[0] as string);
  return (TELLING.test(last) ? 4 : 0) + named * 3 + (changed ? 2 : 0);
}

function isMentioned(name: string, mentioned: Set<string>): boolean {
  const small = name.toLowerCase();
  return (
    mentioned.has(small) || mentioned.has(`${small}s`) || (small.endsWith('s') && mentioned.has(small.slice(0, -1)))
  );
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof Map) return 'map';
  if (value instanceof Set) return 'set';
  return typeof value;
}

/** Values that are not primitive are reduced to an outline. */
function shown(name: string, value: unknown): unknown {
  if (typeof value === 'boolean' || value === null) return value;
  if (SENSITIVE_STATE.test(name) && value !== undefined && value !== '') return REDACTED;
  switch (kindOf(value)) {
    case 'string':
      return cut(value as string);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'undefined':
      return '[undefined]';
    case 'array':
      return `[array of ${(value as unknown[]).length}]`;
    case 'map':
    case 'set':
      return `[${kindOf(value)} of ${(value as Map<unknown, unknown>).size}]`;
    case 'date':
      return String(value);
  }
  return isObject(value) ? cut(`{${keysOf(value, INNER_KEYS).join(', ')}}`) : cut(String(value));
}

function cut(text: string): string {
  return text.length > STATE_VALUE_CHARS ? `${text.slice(0, STATE_VALUE_CHARS - 1)}…` : text;
}

/** The values matter most, then which keys there are, then what the keys contain. */
function fit(snapshot: StateSnapshot): StateSnapshot {
  const tooLarge = () => new TextEncoder().encode(JSON.stringify(snapshot)).length > STATE_BYTES;
  const names = Object.keys(snapshot.keys).reverse();
  for (const name of names) {
    if (!tooLarge()) break;
    delete snapshot.keys[name]?.keys;
  }
  for (const name of names) {
    if (!tooLarge()) break;
    delete snapshot.keys[name];
  }
  for (const path of Object.keys(snapshot.relevantSlice).reverse()) {
    if (!tooLarge()) break;
    delete snapshot.relevantSlice[path];
  }
  return snapshot;
}
