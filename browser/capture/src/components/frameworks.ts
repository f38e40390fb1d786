// Reads the components of a page at the time of an error, and describes some of them in detail.

import { RECALL } from '../annotations';
import { ANCESTRY_MILLIS, REACT_SNAPSHOT_KEPT } from '../limits.gen';
import type { ReactSnapshot } from '../react-snapshot';
import { readAngular } from './angular';
import type { Component, ComponentTree, Scene, Seen } from './component-tree';
import { readReact } from './react';
import { field, quietly } from './read';
import { readSvelte } from './svelte';
import { readVue } from './vue';

const FRAMEWORKS: Array<(scene: Scene) => Seen | undefined> = [readReact, readVue, readSvelte, readAngular];

export interface PageComponents {
  trees: ComponentTree[];
  /** The time of the user's last action, in epoch milliseconds. */
  actedAt: number;
  /** Scripts of the page that may define components although no stack names them. */
  scripts: string[];
  /** How long this took. */
  millis: number;
}

const SCRIPTS = 20;

const seen = new Map<string, Seen[]>();

/** All components, as far as time allows. They are kept until `describe` is called for them. */
export function readComponents(id: string): PageComponents {
  const began = performance.now();
  const reactSnapshot = recall(id);
  const until = began + ANCESTRY_MILLIS;
  const [, , acted, actedAt, active] = reactSnapshot;
  // Focus on the body or root means that no element is focused.
  const focused = active && active !== document.body && active !== document.documentElement ? active : undefined;
  const all = FRAMEWORKS.flatMap((read) => quietly(() => read({ reactSnapshot, acted, focused, until })) ?? []);
  seen.set(id, all);
  for (const oldest of seen.keys()) if (seen.size > REACT_SNAPSHOT_KEPT) seen.delete(oldest);
  return {
    trees: all.map(({ tree }) => tree),
    actedAt,
    scripts: scripts(),
    millis: performance.now() - began,
  };
}

/** Describes the components with these indices in one of the trees. */
export function describe(id: string, tree: number, indices: number[]): Array<Omit<Component, 'name'>> {
  const found = seen.get(id)?.[tree];
  seen.delete(id);
  return indices.map((index) => quietly(() => found?.describe(index)) ?? {});
}

export function recall(id: string): ReactSnapshot {
  return (field(field(window, '__gasoline'), RECALL) as (id: string) => ReactSnapshot)(id);
}

function scripts(): string[] {
  const found = document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>('script[src], link[rel=modulepreload]');
  return [...found].slice(0, SCRIPTS).map((element) => ('src' in element ? element.src : element.href));
}
