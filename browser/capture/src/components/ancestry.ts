// The components around an error, from the page's root to the one in which it happened.

import { ANCESTRY_BYTES, ANCESTRY_COMPONENTS, ANCESTRY_PROP_KEYS, ANCESTRY_STATE_KEYS } from '../limits.gen';
import { byteLength } from '../text';
import type { Component, ComponentTree, ComponentType } from './component-tree';
import { type Frame, isLibrary } from './frames';
import { chainTo, chooseLeaf, unseenComponent } from './leaf';
import { findFunction, nameOffset, positionOf, type ScriptText } from './positions';

export interface Ancestry {
  framework: string;
  components: ToldComponent[];
}

export interface ToldComponent extends Component {
  /** Its position in its script. The server finds the source there, and the name that a build shortened. */
  at?: string;
}

/** Names of at most this length may come from a minifier. */
const SHORT = 3;
/** How many scripts are searched, those in the stack first. */
const STACK_SCRIPTS = 3;
const MORE_SCRIPTS = 5;
const NAME_CHARS = 100;

export interface Sources {
  readComponents(): Promise<{ trees: ComponentTree[]; actedAt: number; scripts: string[] }>;
  describe(tree: number, components: number[]): Promise<Array<Omit<Component, 'name'>>>;
  /** A script's text, or `undefined` if it cannot or may not be read. */
  script(url: string): Promise<ScriptText | undefined>;
}

export interface Failure {
  message: string;
  stack: string;
  ts: number;
  /** The component that React names in its own message. */
  said?: string;
}

export async function findAncestry(
  { message, ts, said }: Failure,
  stack: Frame[],
  sources: Sources,
): Promise<Ancestry | undefined> {
  const { trees, actedAt, scripts: others } = await sources.readComponents();
  const frames = stack.filter(({ url }) => !isLibrary(url));
  const urls = [...new Set(frames.map(({ url }) => url))].slice(0, STACK_SCRIPTS);
  const scripts = new Map<string, ScriptText>();
  const read = async (url: string) => {
    const script = await sources.script(url);
    if (script) scripts.set(url, script);
  };
  if (trees.length > 0) await Promise.all(urls.map(read));
  const leaf = chooseLeaf(trees, { message, said, frames, scripts, millisSinceAction: ts - actedAt });
  const tree = leaf && trees[leaf.tree];
  if (!tree) return fromComponentStack(message);
  const unseen = unseenComponent(stack, tree);
  const chain = chainTo(tree, leaf.component).slice(unseen ? 1 - ANCESTRY_COMPONENTS : -ANCESTRY_COMPONENTS);
  const details = await sources.describe(leaf.tree, chain);
  const types = chain.map((component) => tree.types[tree.components[component]?.[0] ?? -1] as ComponentType);
  // Then the components of scripts that are not in the stack.
  for (const url of others.filter((url) => !scripts.has(url)).slice(0, MORE_SCRIPTS)) {
    if (types.every((type) => !isShort(type) || placeOf(type, scripts) !== undefined)) break;
    await read(url);
  }
  const components = types.map((type, index): ToldComponent => {
    // The innermost component's position is always useful, whatever its name.
    const at = isShort(type) || (index === types.length - 1 && !unseen) ? placeOf(type, scripts) : undefined;
    return { ...tidy(type.name, details[index] ?? {}), ...(at && { at }) };
  });
  if (unseen) components.push({ name: unseen });
  return fit({ framework: tree.framework, components });
}

/** A page could replace our script with anything, so only values of the right shape pass. */
function tidy(name: string, { propKeys, hasState, stateKeys }: Omit<Component, 'name'>): ToldComponent {
  const names = (keys: unknown, most: number) =>
    (Array.isArray(keys) ? keys : []).slice(0, most).map((key) => String(key).slice(0, NAME_CHARS));
  return {
    name: name.slice(0, NAME_CHARS) || 'Anonymous',
    ...(propKeys && { propKeys: names(propKeys, ANCESTRY_PROP_KEYS) }),
    ...(hasState === true && { hasState }),
    ...(stateKeys && { stateKeys: names(stateKeys, ANCESTRY_STATE_KEYS) }),
  };
}

function isShort({ name }: ComponentType): boolean {
  return name.length <= SHORT;
}

/** In the format that V8 uses for positions. */
function placeOf(type: ComponentType, scripts: ReadonlyMap<string, ScriptText>): string | undefined {
  for (const [url, { text, starts }] of scripts) {
    for (const [head] of type.texts) {
      const found = findFunction(text, head);
      if (found === undefined) continue;
      const { line, column } = positionOf(starts, nameOffset(text, found));
      return `${url}:${line}:${column}`;
    }
  }
  return undefined;
}

/** Up to version 18, React's own message lists the components, innermost first. */
export function fromComponentStack(message: string): Ancestry | undefined {
  const start = message.indexOf('The above error occurred in');
  if (start < 0) return undefined;
  const lines = message.slice(start).split('\n').slice(1);
  const names = lines.flatMap((line) => /^\s*(?:at|in) ([A-Z][\w$.]*)/.exec(line)?.[1] ?? []);
  if (names.length === 0) return undefined;
  const components = names.slice(0, ANCESTRY_COMPONENTS).map((name) => ({ name }));
  return { framework: 'react', components: components.reverse() };
}

/** What is furthest from the error is removed first: keys, then whole components. */
export function fit(ancestry: Ancestry): Ancestry {
  const tooLarge = () => byteLength(JSON.stringify(ancestry)) > ANCESTRY_BYTES;
  for (const component of ancestry.components) {
    if (!tooLarge()) break;
    delete component.propKeys;
    delete component.stateKeys;
  }
  while (ancestry.components.length > 1 && tooLarge()) ancestry.components.shift();
  return ancestry;
}
