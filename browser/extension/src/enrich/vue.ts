// Vue 3, from the roots of its applications down. A production build leaves nothing on the elements inside.

import { ANCESTRY_PROP_KEYS, ANCESTRY_STATE_KEYS } from '../../../capture/src/limits.gen';
import { functionText } from './function-text';
import { around, elements, field, fileName, isObject, keysOf, text } from './read';
import type { Component, ComponentType, Scene, Seen, Sight } from './sight';
import { Types } from './types';

const TEXTS = 20;
/** Stands around a component that was loaded when it was needed. */
const WRAPPERS = /^(AsyncComponentWrapper|BaseTransition)$/;

export function seeVue({ evidence, until }: Scene): Seen | undefined {
  const types = new Types();
  const components: Sight['components'] = [];
  const instances: object[] = [];
  const places = new Map<unknown, number>();
  const waiting: Array<[vnode: unknown, parent: number]> = [];
  for (const element of elements(until)) {
    const vnode = field(element, '_vnode');
    if (vnode && field(element, '__vue_app__')) waiting.push([vnode, -1]);
  }
  for (let steps = 0; waiting.length > 0; steps++) {
    if (steps % 64 === 63 && performance.now() > until) break;
    const [vnode, parent] = waiting.pop() as [unknown, number];
    const instance = field(vnode, 'component');
    const children = field(vnode, 'children');
    if (isObject(instance)) {
      const type = field(instance, 'type');
      let place = parent;
      if (!WRAPPERS.test(text(field(type, 'name')))) {
        place = components.push([types.number(type, () => typeOf(type)), parent]) - 1;
        instances.push(instance);
      }
      places.set(instance, place);
      waiting.push([field(instance, 'subTree'), place]);
    } else if (Array.isArray(children)) {
      for (const child of children) waiting.push([child, parent]);
    }
    const branch = field(field(vnode, 'suspense'), 'activeBranch');
    if (branch) waiting.push([branch, parent]);
  }
  if (components.length === 0) return undefined;
  const placeOf = (element: Element | null | undefined): number => {
    for (let node: Node | null = element ?? null; node; node = around(node)) {
      const place = places.get(field(node, '__vueParentComponent'));
      if (place !== undefined) return place;
    }
    // Those inside come after those around them.
    return element ? instances.findLastIndex((instance) => holds(field(instance, 'subTree'), element)) : -1;
  };
  return {
    sight: {
      framework: 'vue',
      types: types.list,
      components,
      acted: placeOf(evidence[2]),
      focused: placeOf(evidence[4]),
    },
    describe: (index) => describe(instances[index]),
  };
}

function typeOf(type: unknown): ComponentType {
  const file = text(field(type, '__file'));
  const name =
    text(field(type, 'name')) || text(field(type, '__name')) || text(field(type, 'displayName')) || fileName(file);
  const owners = [type, field(type, 'methods'), field(type, 'computed'), field(type, 'watch')];
  const functions = [type, ...owners.flatMap((owner) => keysOf(owner, 50).map((key) => field(owner, key)))];
  const texts = functions.flatMap((value) => {
    const found = functionText(value);
    return found ? [found] : [];
  });
  return { name, texts: texts.slice(0, TEXTS), ...(file && { file }) };
}

/** One element, or all from the first to the last of several. */
function holds(vnode: unknown, element: Element): boolean {
  const first = field(vnode, 'el');
  const last = field(vnode, 'anchor');
  if (!(first instanceof Node)) return false;
  if (first.contains(element)) return true;
  if (!(last instanceof Node)) return false;
  const after = first.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
  return after !== 0 && (element.compareDocumentPosition(last) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

function describe(instance: unknown): Omit<Component, 'name'> {
  const propKeys = keysOf(field(field(instance, 'vnode'), 'props'), ANCESTRY_PROP_KEYS);
  const setup = field(instance, 'devtoolsRawSetupState') ?? field(instance, 'setupState');
  // What a development build returns from `setup` has imports and functions among it.
  const reactive = keysOf(setup, 100).filter((key) => isReactive(field(setup, key)));
  const stateKeys = [...reactive, ...keysOf(field(instance, 'data'), ANCESTRY_STATE_KEYS)];
  return {
    ...(propKeys.length > 0 && { propKeys }),
    ...(stateKeys.length > 0 && { hasState: true, stateKeys: stateKeys.slice(0, ANCESTRY_STATE_KEYS) }),
  };
}

/** Only Vue's own objects know these names. */
function isReactive(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const marked = value as { __v_isRef?: boolean; __v_isReactive?: boolean };
  try {
    return marked.__v_isRef === true || marked.__v_isReactive === true;
  } catch {
    return false;
  }
}
