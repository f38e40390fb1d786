// Learns the structure of a connection's JSON messages, and notices one that differs.

import { WEBSOCKET_FIRST_MESSAGES as FIRST } from './limits.gen';
import { parse } from './natives';
import { cut } from './text';
import type { MessageSchema } from './wire.gen';

/** How many structures are distinguished; a connection with more has no meaningful schema. */
const STRUCTURES = 50;
const VARIANTS = 20;
const SHOWN_KEYS = 30;

export class Schema {
  #looked = 0;
  /** False as soon as one of the first messages is not a JSON object: then there is no schema to compare with. */
  #json = true;
  readonly #seen = new Map<string, number>();
  readonly #variants = new Map<string, number>();
  #keys: string[] = [];

  /** Records a message; returns true when its structure differs from the earlier ones. */
  isNew(text: string): boolean {
    if (!this.#json) return false;
    const value = objectOf(text);
    this.#looked++;
    const early = this.#looked <= FIRST;
    if (!value) {
      if (early) this.#json = false;
      return !early;
    }
    const keys = Object.keys(value);
    const structure = keys.slice().sort().join(',');
    const times = (this.#seen.get(structure) ?? 0) + 1;
    if (this.#seen.has(structure) || this.#seen.size < STRUCTURES) this.#seen.set(structure, times);
    this.#countVariant(value, keys);
    if (early) for (const key of keys) if (!this.#keys.includes(key)) this.#keys.push(cut(key, 100));
    // A structure counts as new until it has occurred as often as the number of initial messages.
    return !early && times <= FIRST && this.#seen.size <= STRUCTURES;
  }

  report(messageCount: number): MessageSchema | undefined {
    if (!this.#json || this.#seen.size === 0) return undefined;
    const consistent = this.#seen.size === 1;
    return {
      detectedKeys: this.#keys.slice(0, SHOWN_KEYS),
      messageCount,
      consistent,
      ...(!consistent && { variants: this.#shares() }),
    };
  }

  #countVariant(value: Record<string, unknown>, keys: string[]): void {
    const named = ['type', 'event', 'kind', 'op', 'action', 'method'].map((key) => value[key]);
    const name = named.find((name) => typeof name === 'string') ?? keys.join('+');
    const variant = cut(String(name), 60);
    if (this.#variants.has(variant) || this.#variants.size < VARIANTS) {
      this.#variants.set(variant, (this.#variants.get(variant) ?? 0) + 1);
    }
  }

  #shares(): string[] {
    const total = [...this.#variants.values()].reduce((sum, count) => sum + count, 0);
    return [...this.#variants]
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} (${Math.round((count / total) * 100)}%)`);
  }
}

function objectOf(text: string): Record<string, unknown> | undefined {
  if (text.charCodeAt(0) !== 0x7b) return undefined;
  try {
    return parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
