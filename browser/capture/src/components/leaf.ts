// Finds the component that an error belongs to: by its stack if possible, else by what the user was doing.

import type { ComponentTree, ComponentType } from './component-tree';
import type { Frame } from './frames';
import type { ScriptText } from './positions';
import { functionAround, offsetOf } from './positions';

/** An error this soon after a user action counts as its result. */
const ACTION_MILLIS = 2_000;

export interface Clues {
  message: string;
  /** The component that React names beside the error. */
  said?: string | undefined;
  frames: Frame[];
  /** The scripts that could be read, by address. */
  scripts: ReadonlyMap<string, ScriptText>;
  millisSinceAction: number;
}

export interface Leaf {
  tree: number;
  component: number;
}

type Matches = (type: ComponentType, tree: ComponentTree) => boolean;

export function chooseLeaf(trees: ComponentTree[], clues: Clues): Leaf | undefined {
  for (const test of tests(clues)) {
    for (const [number, tree] of trees.entries()) {
      const component = instanceOf(tree, test);
      if (component !== undefined) return { tree: number, component };
    }
  }
  for (const nearest of ['acted', 'focused'] as const) {
    if (nearest === 'acted' && clues.millisSinceAction > ACTION_MILLIS) continue;
    const number = trees.findIndex((tree) => tree[nearest] >= 0);
    if (number >= 0) return { tree: number, component: (trees[number] as ComponentTree)[nearest] };
  }
  return undefined;
}

/** The tests, the most reliable first. */
function* tests({ message, said, frames, scripts }: Clues): Generator<Matches> {
  // React names the component itself.
  const named = /\bin the <([\w$.]+)> component/.exec(message)?.[1] ?? said;
  if (named) yield (type) => type.name === named;
  for (const frame of frames) {
    const script = scripts.get(frame.url);
    const offset = script && offsetOf(script.starts, frame.line, frame.column);
    if (!script || offset === undefined) continue;
    const { text } = script;
    const lengths = new Map<ComponentType, number>();
    const lengthOf = (type: ComponentType) => {
      let length = lengths.get(type);
      if (length === undefined) {
        length = textAround(type, text, offset);
        lengths.set(type, length);
      }
      return length;
    };
    // One component may be defined inside another; the inner one is the right one.
    yield (type, tree) =>
      lengthOf(type) < Number.POSITIVE_INFINITY && tree.types.every((other) => lengthOf(other) >= lengthOf(type));
  }
  for (const { name } of frames) {
    const plain = name.replace(/^(async|new) /, '');
    const owner = /^[^.[\s]+/.exec(plain)?.[0];
    // Names of two letters come from a minifier and are used many times.
    if (owner && owner.length > 3)
      yield (type) => type.name === owner || (/^_?[A-Z]/.test(owner) && sameName(type.name, owner));
  }
  for (const { url } of frames) {
    const path = pathOf(url);
    const file = /([^/]+)\.(svelte|vue)$/.exec(path);
    if (!file) continue;
    yield (type) => type.file !== undefined && (type.file.endsWith(path) || path.endsWith(`/${type.file}`));
    yield (type) => type.file === undefined && type.name === file[1];
  }
}

function sameName(component: string, owner: string): boolean {
  return component === owner.replace(/^_/, '') || owner.startsWith(`${component}_Template`);
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

function textAround(type: ComponentType, text: string, offset: number): number {
  const around = type.texts.filter(([head, length]) => functionAround(text, head, length, offset) !== undefined);
  return Math.min(...around.map(([, length]) => length));
}

/** Among several components of that type, the one that the user is working in, else the first. */
function instanceOf(tree: ComponentTree, matches: Matches): number | undefined {
  const types = new Set(tree.types.flatMap((type, number) => (matches(type, tree) ? [number] : [])));
  if (types.size === 0) return undefined;
  for (const busy of [tree.acted, tree.focused]) {
    for (const component of chainTo(tree, busy).reverse()) {
      if (types.has(tree.components[component]?.[0] as number)) return component;
    }
  }
  const first = tree.components.findIndex(([type]) => types.has(type));
  return first >= 0 ? first : undefined;
}

/** The path from the root to a component. */
export function chainTo(tree: ComponentTree, component: number): number[] {
  const chain: number[] = [];
  // Parents come before their children. Any other order is not a tree, and would not end.
  for (let at = component; at >= 0 && (chain.length === 0 || at < (chain[0] as number)); ) {
    chain.unshift(at);
    at = tree.components[at]?.[1] ?? -1;
  }
  return chain;
}

/** React's functions that call a component. */
const CALLERS = /^(renderWithHooks|react.stack.bottom.frame|constructClassInstance|callComponent)/;

/** A component that threw before it was mounted. In development the stack begins with its name or its file. */
export function unseenComponent(frames: Frame[], tree: ComponentTree): string | undefined {
  const [first, second] = frames;
  if (!first) return undefined;
  const file = /([^/]+)\.svelte$/.exec(pathOf(first.url))?.[1];
  const called = CALLERS.test(second?.name.replace(/^Object\./, '') ?? '')
    ? first.name.replace(/^new /, '')
    : undefined;
  const name = tree.framework === 'svelte' ? file : called;
  const isNew = name !== undefined && /^[A-Z]\w{3,}$/.test(name) && !tree.types.some((type) => type.name === name);
  return isNew ? name : undefined;
}
