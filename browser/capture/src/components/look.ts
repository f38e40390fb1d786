// The components of a page at the time of an error, and what is to be told of some of them.

import { RECALL } from '../annotations';
import type { Evidence } from '../evidence';
import { ANCESTRY_MILLIS, EVIDENCE_KEPT } from '../limits.gen';
import { seeAngular } from './angular';
import { seeReact } from './react';
import { field, quietly } from './read';
import type { Component, Scene, Seen, Sight } from './sight';
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

/** All components, as far as time allows. They are remembered until `describe` is asked about them. */
export function look(id: string): Look {
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
}

/** What is to be told of some of them, by their numbers in one of the sights. */
export function describe(id: string, sight: number, indices: number[]): Array<Omit<Component, 'name'>> {
  const found = seen.get(id)?.[sight];
  seen.delete(id);
  return indices.map((index) => quietly(() => found?.describe(index)) ?? {});
}

export function recall(id: string): Evidence {
  return (field(field(window, '__gasoline'), RECALL) as (id: string) => Evidence)(id);
}

function scripts(): string[] {
  const found = document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>('script[src], link[rel=modulepreload]');
  return [...found].slice(0, SCRIPTS).map((element) => ('src' in element ? element.src : element.href));
}
