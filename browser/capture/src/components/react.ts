// React 16 to 19: the components of the snapshot that was taken at the time of the error.

import { ANCESTRY_PROP_KEYS, ANCESTRY_STATE_KEYS } from '../limits.gen';
import { components as allComponents, noteComponents, type ReactSnapshot } from '../react-snapshot';
import type { Component, ComponentTree, ComponentType, Scene, Seen } from './component-tree';
import { functionText } from './function-text';
import { around, field, isObject, keysOf, text } from './read';
import { Types } from './types';

/** The fields of a component in the snapshot. */
const [TYPE, PARENT, PROPS, STATE, FIELDS] = [0, 1, 2, 3, 4];
const HOOKS = 200;
const DEPTH = 200;

export function readReact({ reactSnapshot, acted, focused, until }: Scene): Seen | undefined {
  addRemoved(reactSnapshot, until);
  // The snapshot had little time. Where the tree still exists there is more time now.
  const live = allComponents(until);
  const [noted, owners] = live[0].length > reactSnapshot[0].length ? live : reactSnapshot;
  const types = new Types();
  const components: ComponentTree['components'] = [];
  /**
   * The indices of the snapshot's components in our list. An entry that is not a component maps to the one around it.
   */
  const places: number[] = [];
  const noteds: number[] = [];
  for (let start = 0; start < noted.length; start += FIELDS) {
    if (places.length % 64 === 63 && performance.now() > until) break;
    const type = noted[start + TYPE];
    const outer = noted[start + PARENT] as number;
    const parent = places[outer] ?? -1;
    if (isContext(type)) {
      places.push(parent);
      continue;
    }
    // React treats `memo` around a wrapped component as a component, but developers do not.
    if (parent >= 0 && field(noted[outer * FIELDS + TYPE], 'type') === type) {
      places.push(parent);
      noteds[parent] = start;
      continue;
    }
    places.push(components.push([types.number(type, () => typeOf(type)), parent]) - 1);
    noteds.push(start);
  }
  if (components.length === 0) return undefined;
  const placeOf = (element: Node | null | undefined) => {
    for (let node = element ?? null; node; node = around(node)) {
      const owner = owners.get(node);
      if (owner !== undefined) return places[owner] ?? -1;
    }
    return -1;
  };
  return {
    tree: { framework: 'react', types: types.list, components, acted: placeOf(acted), focused: placeOf(focused) },
    describe: (index) => describe(noted, noteds[index] ?? -1),
  };
}

/**
 * React 16 and 17 detach the top of an unmounted tree before the error reaches any listener. The rest is still
 * connected, and the target of the user's last action is part of it.
 */
function addRemoved([noted, owners, acted]: ReactSnapshot, until: number): void {
  if (!acted || acted.isConnected) return;
  let top: Node = acted;
  for (let outer = around(top); outer; outer = around(top)) top = outer;
  const key = keysOf(top, 20).find((key) => /^__react(Fiber|InternalInstance)\$/.test(key));
  if (key === undefined || owners.has(top)) return;
  const fiber = field(top, key);
  const path: unknown[] = [];
  for (let outer = field(fiber, 'return'); outer && path.length < DEPTH; outer = field(outer, 'return')) {
    path.unshift(outer);
  }
  let owner = -1;
  for (const outer of path) {
    const type = field(outer, 'type');
    if (!isObject(type)) continue;
    owner = noted.push(type, owner, field(outer, 'memoizedProps'), field(outer, 'memoizedState')) / FIELDS - 1;
  }
  // React keeps two copies of everything, and either may be the current one. The other contains nothing wrong.
  noteComponents([fiber, owner, field(fiber, 'alternate'), owner], noted, owners, until);
}

function isContext(type: unknown): boolean {
  return /\b(context|provider|consumer)\b/.test(String((field(type, '$$typeof') as symbol | undefined)?.description));
}

function typeOf(type: unknown): ComponentType {
  const inner = unwrap(type);
  const found = functionText(inner);
  const name = text(field(type, 'displayName')) || text(field(inner, 'displayName')) || text(field(inner, 'name'));
  return { name, texts: found ? [found] : [] };
}

/** The function inside `memo`, `forwardRef` and `lazy`, which may be nested. */
function unwrap(type: unknown): unknown {
  let inner = type;
  for (let depth = 0; depth < 5 && typeof inner === 'object'; depth++) {
    inner = field(inner, 'type') ?? field(inner, 'render') ?? field(field(inner, '_payload'), '_result');
  }
  return inner;
}

function describe(noted: unknown[], start: number): Omit<Component, 'name'> {
  if (start < 0) return {};
  const propKeys = keysOf(noted[start + PROPS], ANCESTRY_PROP_KEYS + 1).filter((key) => key !== 'children');
  const state = noted[start + STATE];
  const isClass = field(field(unwrap(noted[start + TYPE]), 'prototype'), 'render') !== undefined;
  const stateKeys = isClass ? keysOf(state, ANCESTRY_STATE_KEYS) : [];
  return {
    ...(propKeys.length > 0 && { propKeys: propKeys.slice(0, ANCESTRY_PROP_KEYS) }),
    ...((stateKeys.length > 0 || (!isClass && holdsState(state))) && { hasState: true }),
    ...(stateKeys.length > 0 && { stateKeys }),
  };
}

/** Hooks are a linked list without names. Hooks with settable state have a queue. */
function holdsState(hook: unknown): boolean {
  for (let next = hook, count = 0; next && count < HOOKS; next = field(next, 'next'), count++) {
    if (field(next, 'queue')) return true;
  }
  return false;
}
