// Angular in development mode, through the debugging functions under `window.ng`.

import { ANCESTRY_STATE_KEYS } from '../limits.gen';
import type { ComponentTree, Scene, Seen } from './component-tree';
import { around, elements, field, isObject, keysOf, text } from './read';
import { Types } from './types';

interface Debugging {
  getComponent(element: Element): object | null;
}

export function readAngular({ acted, focused, until }: Scene): Seen | undefined {
  const debugging = field(window, 'ng') as Debugging | undefined;
  if (typeof field(debugging, 'getComponent') !== 'function') return undefined;
  const types = new Types();
  const components: ComponentTree['components'] = [];
  const instances: object[] = [];
  const places = new Map<Node, number>();
  const nearest = (element: Node | null | undefined): number => {
    for (let node = element ?? null; node; node = around(node)) {
      const place = places.get(node);
      if (place !== undefined) return place;
    }
    return -1;
  };
  for (const element of elements(until)) {
    const instance = debugging?.getComponent(element);
    if (!isObject(instance)) continue;
    const made = field(Object.getPrototypeOf(instance), 'constructor');
    // Angular's compiler puts an underscore before names that are used twice.
    const name = text(field(made, 'name')).replace(/^_/, '');
    const type = types.number(made, () => ({ name, texts: [] }));
    const place = components.push([type, nearest(element.parentNode)]) - 1;
    instances.push(instance);
    places.set(element, place);
  }
  if (components.length === 0) return undefined;
  return {
    tree: {
      framework: 'angular',
      types: types.list,
      components,
      acted: nearest(acted),
      focused: nearest(focused),
    },
    describe(index) {
      const stateKeys = keysOf(instances[index], 50)
        .filter((key) => !key.startsWith('__'))
        .slice(0, ANCESTRY_STATE_KEYS);
      return stateKeys.length > 0 ? { hasState: true, stateKeys } : {};
    },
  };
}
