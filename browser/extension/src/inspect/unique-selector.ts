// A selector that matches exactly one element, and is short enough to read.

import { isDynamicClass } from 'gasoline-capture/selectors';
import {
  attribute,
  classesOf,
  find,
  isDocument,
  localNameOf,
  nextSiblingOf,
  parentOf,
  previousSiblingOf,
  type Root,
  rootOf,
} from './dom';
import { INSIDE } from './notation';

const TEST_IDS = ['data-testid', 'data-test-id', 'data-cy', 'data-test'];
const READABLE_CHARS = 80;
/** Paths of these lengths are tried before the whole path from the root is written. */
const SHORT_PATHS = [2, 3, 4];

/** The tree that contains an element, and the host or frame around that tree. */
export interface Spot {
  root: Root;
  inside?: { element: Element; place: Spot };
}

/** For elements of this document and its shadow roots. */
export function spotOf(element: Element): Spot {
  const root = rootOf(element) as Root;
  return isDocument(root) ? { root } : { root, inside: { element: root.host, place: spotOf(root.host) } };
}

export class UniqueSelectors {
  /** A cache of the selectors by which single elements are found; ancestors are looked up again and again. */
  private readonly anchors = new Map<Element, string | undefined>();

  of(element: Element, { root, inside }: Spot): string {
    const own = this.within(element, root);
    return inside ? this.of(inside.element, inside.place) + INSIDE + own : own;
  }

  private within(element: Element, root: Root): string {
    return this.anchor(element, root) ?? byLooks(element, root) ?? this.path(element, root);
  }

  private anchor(element: Element, root: Root): string | undefined {
    if (!this.anchors.has(element)) this.anchors.set(element, byName(element, root));
    return this.anchors.get(element);
  }

  private path(element: Element, root: Root): string {
    const steps = [step(element)];
    for (let above = parentOf(element); above; above = parentOf(above)) {
      const path = steps.join(' > ');
      if (SHORT_PATHS.includes(steps.length) && isUnique(path, element, root)) return path;
      const anchor = this.anchor(above, root);
      if (anchor) return `${anchor} > ${path}`;
      steps.unshift(step(above));
    }
    const path = steps.join(' > ');
    if (isUnique(path, element, root)) return path;
    // The same steps may match elsewhere from further down, so this path starts at the root.
    const top = isDocument(root) ? ':root' : `${steps[0]}:not(* > *)`;
    return [top, ...steps.slice(1)].join(' > ');
  }
}

/** By an id or name that people gave it. */
function byName(element: Element, root: Root): string | undefined {
  const id = attribute(element, 'id');
  if (id && id.length <= READABLE_CHARS && !isDynamicClass(id)) {
    const selector = `#${CSS.escape(id)}`;
    if (isUnique(selector, element, root)) return selector;
  }
  for (const name of TEST_IDS) {
    const value = attribute(element, name);
    if (!value || value.length > READABLE_CHARS) continue;
    const selector = `[${name}=${quoted(value)}]`;
    if (isUnique(selector, element, root)) return selector;
  }
  return undefined;
}

/** By its tag alone, or by its name in a form or in the style sheet. */
function byLooks(element: Element, root: Root): string | undefined {
  const tag = CSS.escape(localNameOf(element));
  const candidates = /^(html|head|body|main)$/.test(tag) ? [tag] : [];
  const name = attribute(element, 'name');
  if (name && name.length <= READABLE_CHARS) candidates.push(`${tag}[name=${quoted(name)}]`);
  const classes = [...classesOf(element)].filter((each) => !isDynamicClass(each)).slice(0, 2);
  if (classes.length > 0) candidates.push([tag, ...classes.map((each) => CSS.escape(each))].join('.'));
  return candidates.find((selector) => isUnique(selector, element, root));
}

function step(element: Element): string {
  const tag = CSS.escape(localNameOf(element));
  if (/^(html|head|body)$/.test(tag)) return tag;
  if (!previousSiblingOf(element) && !nextSiblingOf(element)) return tag;
  let place = 1;
  for (let before = previousSiblingOf(element); before; before = previousSiblingOf(before)) place++;
  return `${tag}:nth-child(${place})`;
}

function isUnique(selector: string, element: Element, root: Root): boolean {
  const found = find(root, selector);
  return found.length === 1 && found[0] === element;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ')}"`;
}
