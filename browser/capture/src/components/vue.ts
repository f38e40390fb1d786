// Vue 3, from the roots of its applications down. In a production build the elements inside carry no reference to their
// component.

import { ANCESTRY_PROP_KEYS, ANCESTRY_STATE_KEYS } from '../limits.gen';
import type { Component, ComponentTree, ComponentType, Scene, Seen } from './component-tree';
import { functionText } from './function-text';
import { around, elements, field, fileName, isObject, keysOf, text } from './read';
import { Types } from './types';

const TEXTS = 20;
/** Wraps a component that was loaded on demand. */
const WRAPPERS = /^(AsyncComponentWrapper|BaseTransition)$/;

export function readVue({ acted, focused, until }: Scene): Seen | undefined {
  const types = new Types();
  const components: ComponentTree['components'] = [];
  const instances: object[] = [];
  /** The places of components, and of the elements they begin with. */
  const places = new Map<unknown, number>();
  /** Components that begin with several elements. */
  const several: Array<[vnode: unknown, place: number]> = [];
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
      const tree = field(instance, 'subTree');
      const first = field(tree, 'el');
      places.set(instance, place);
      // An inner component that begins with the same element comes later and wins.
      if (first instanceof Element) places.set(first, place);
      else several.push([tree, place]);
      waiting.push([tree, place]);
    } else if (Array.isArray(children)) {
      for (const child of children) waiting.push([child, parent]);
    }
    const branch = field(field(vnode, 'suspense'), 'activeBranch');
    if (branch) waiting.push([branch, parent]);
  }
  if (components.length === 0) return undefined;
  const placeOf = (element: Element | undefined): number => {
    for (let node: Node | null = element ?? null; node; node = around(node)) {
      const inner = node;
      const place = places.get(field(node, '__vueParentComponent')) ?? places.get(node);
      const within = several.findLast(([tree]) => holds(tree, inner))?.[1];
      if (place !== undefined || within !== undefined) return Math.max(place ?? -1, within ?? -1);
    }
    return -1;
  };
  return {
    tree: {
      framework: 'vue',
      types: types.list,
      components,
      acted: placeOf(acted),
      focused: placeOf(focused),
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

/** Whether a node lies between the first and the last of several root elements. */
function holds(vnode: unknown, node: Node): boolean {
  const first = field(vnode, 'el');
  const last = field(vnode, 'anchor');
  if (!(first instanceof Node) || !(last instanceof Node) || first.parentNode !== node.parentNode) return false;
  const isAfter = (one: Node, other: Node) =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
  return isAfter(first, node) && isAfter(node, last);
}

function describe(instance: unknown): Omit<Component, 'name'> {
  const propKeys = keysOf(field(field(instance, 'vnode'), 'props'), ANCESTRY_PROP_KEYS);
  const setup = field(instance, 'devtoolsRawSetupState') ?? field(instance, 'setupState');
  // In a development build, the result of `setup` also contains imports and functions.
  const reactive = keysOf(setup, 100).filter((key) => isReactive(field(setup, key)));
  const stateKeys = [...reactive, ...keysOf(field(instance, 'data'), ANCESTRY_STATE_KEYS)];
  return {
    ...(propKeys.length > 0 && { propKeys }),
    ...(stateKeys.length > 0 && { hasState: true, stateKeys: stateKeys.slice(0, ANCESTRY_STATE_KEYS) }),
  };
}

/** Only Vue's own objects have these names. */
function isReactive(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const marked = value as { __v_isRef?: boolean; __v_isReactive?: boolean };
  try {
    return marked.__v_isRef === true || marked.__v_isReactive === true;
  } catch {
    return false;
  }
}
