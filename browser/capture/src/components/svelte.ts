// Svelte in development: each element knows its source file, and from version 5 on the components around it.

import type { ComponentTree, Scene, Seen } from './component-tree';
import { around, elements, field, fileName, text } from './read';
import { Types } from './types';

const DEPTH = 100;

export function readSvelte(scene: Scene): Seen | undefined {
  const types = new Types();
  const components: ComponentTree['components'] = [];
  /** Svelte's entry for a nested component (or the file of one without a parent) → its place. */
  const places = new Map<unknown, number>();

  function add(key: unknown, name: string, parent: number, file?: string): number {
    const known = places.get(key);
    if (known !== undefined) return known;
    const type = types.number(`${name} ${file ?? ''}`, () => ({ name, texts: [], ...(file && { file }) }));
    const place = components.push([type, parent]) - 1;
    places.set(key, place);
    return place;
  }

  function placeOf(element: Element): number {
    const meta = field(element, '__svelte_meta');
    const file = text(field(field(meta, 'loc'), 'file'));
    if (!file) return -1;
    if (field(meta, 'parent') === undefined) return older(element, file);
    const entries: unknown[] = [];
    for (
      let entry = field(meta, 'parent'), depth = 0;
      entry && depth < DEPTH;
      entry = field(entry, 'parent'), depth++
    ) {
      if (field(entry, 'type') === 'component') entries.unshift(entry);
    }
    const root = text(field(entries[0], 'file')) || file;
    let place = add(`root ${root}`, fileName(root), -1, root);
    for (const entry of entries) {
      const tag = text(field(entry, 'componentTag'));
      // `<svelte:component>` does not name the component.
      place = add(entry, /^[A-Z]/.test(tag) ? tag : fileName(file), place);
    }
    return place;
  }

  /** Before version 5: by the source files of the elements around it. */
  function older(element: Element, file: string): number {
    for (let node = around(element), depth = 0; node && depth < DEPTH; node = around(node), depth++) {
      const outer = text(field(field(field(node, '__svelte_meta'), 'loc'), 'file'));
      if (outer && outer !== file) {
        const parent = older(node as Element, outer);
        return add(`${parent} ${file}`, fileName(file), parent, file);
      }
    }
    return add(`-1 ${file}`, fileName(file), -1, file);
  }

  function nearest(element: Element | null | undefined): number {
    for (let node: Node | null = element ?? null; node; node = around(node)) {
      const place = placeOf(node as Element);
      if (place >= 0) return place;
    }
    return -1;
  }

  for (const element of elements(scene.until)) placeOf(element);
  const acted = nearest(scene.acted);
  const focused = nearest(scene.focused);
  if (components.length === 0) return undefined;
  return { tree: { framework: 'svelte', types: types.list, components, acted, focused }, describe: () => ({}) };
}
