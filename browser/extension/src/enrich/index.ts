// What the worker injects into the page's own world when an error came. It leaves nothing where a page would look.

import { RECALL } from '../../../capture/src/annotations';
import type { Evidence } from '../../../capture/src/evidence';
import { ANCESTRY_MILLIS, EVIDENCE_KEPT } from '../../../capture/src/limits.gen';
import { seeAngular } from './angular';
import { seeReact } from './react';
import { field, quietly } from './read';
import type { Component, Scene, Seen, Sight } from './sight';
import { type StateSnapshot, snapshot } from './state';
import { seeSvelte } from './svelte';
import { seeVue } from './vue';

const EYES: Array<(scene: Scene) => Seen | undefined> = [seeReact, seeVue, seeSvelte, seeAngular];

export interface Look {
  sights: Sight[];
  /** When the user last did something, in epoch milliseconds. */
  actedAt: number;
  /** Scripts of the page, where components may be that are in no stack. */
  scripts: string[];
  /** How long this took. */
  millis: number;
}

const SCRIPTS = 20;

const seen = new Map<string, Seen[]>();

const functions = {
  /** All components, as far as time allows. They are remembered until `describe` is asked about them. */
  look(id: string): Look {
    const began = performance.now();
    const evidence = recall(id);
    const until = began + ANCESTRY_MILLIS;
    const [, , acted, actedAt, active] = evidence;
    // The focus is nowhere in particular, then.
    const focused = active && active !== document.body && active !== document.documentElement ? active : undefined;
    const all = EYES.flatMap((see) => quietly(() => see({ evidence, acted, focused, until })) ?? []);
    seen.set(id, all);
    for (const oldest of seen.keys()) if (seen.size > EVIDENCE_KEPT) seen.delete(oldest);
    return {
      sights: all.map(({ sight }) => sight),
      actedAt,
      scripts: scripts(),
      millis: performance.now() - began,
    };
  },
  /** What is to be told of some of them, by their numbers in one of the sights. */
  describe(id: string, sight: number, indices: number[]): Array<Omit<Component, 'name'>> {
    const found = seen.get(id)?.[sight];
    seen.delete(id);
    return indices.map((index) => quietly(() => found?.describe(index)) ?? {});
  },
  state: (id: string, message: string): StateSnapshot | null => snapshot(recall(id), message) ?? null,
};

export type EnrichFunctions = typeof functions;

function scripts(): string[] {
  const found = document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>('script[src], link[rel=modulepreload]');
  return [...found].slice(0, SCRIPTS).map((element) => ('src' in element ? element.src : element.href));
}

function recall(id: string): Evidence {
  return (field(field(window, '__gasoline'), RECALL) as (id: string) => Evidence)(id);
}

// On a function that only we know to ask for, and not listed there either. Two errors may bring us twice; the first of us
// stays, as it has what was seen.
const carrier = field(field(window, '__gasoline'), RECALL);
if (typeof carrier === 'function' && !field(carrier, 'enrich')) {
  Object.defineProperty(carrier, 'enrich', { value: functions });
}
