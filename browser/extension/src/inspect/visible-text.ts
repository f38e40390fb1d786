// The text of an element as a person reads it: without scripts, styles and hidden parts, and with the content of its
// shadow root.

import { cut } from 'gasoline-capture/text';
import { childNodesOf, isElement, localNameOf, nodeTypeOf, ownerOf, shadowRootOf, viewOf } from './dom';
import { isRendered } from './visibility';

/** Large enough for any visible text, and small enough that a long table does not use up the time of all others. */
const NODES = 2_000;
const DEPTH = 100;
/** Typed text is reported as the field's value, where secrets are recognised. */
const SILENT = /^(script|style|template|noscript|textarea|iframe|object)$/;

export function textOf(element: Element, chars: number): string {
  return read(element, chars, true) || (isRendered(element) ? '' : read(element, chars, false));
}

function read(element: Element, chars: number, onlyVisible: boolean): string {
  let text = '';
  let nodes = 0;
  // Twice the length leaves room for the white space that is removed later.
  const full = () => text.length > chars * 2 + 200 || nodes > NODES;

  function add(node: Node, depth: number): void {
    if (full() || depth > DEPTH) return;
    nodes++;
    if (nodeTypeOf(node) === Node.TEXT_NODE) text += (node as Text).data.slice(0, chars * 4).replace(/\s+/g, ' ');
    if (!isElement(node) || SILENT.test(localNameOf(node))) return;
    const display = styleOf(node)?.display ?? '';
    // An element with `display: contents` has no box, and yet shows its content.
    if (onlyVisible && display !== 'contents' && !isRendered(node)) return;
    const gap = display.startsWith('inline') || display === 'contents' ? '' : ' ';
    text += gap;
    for (const child of shownInside(node)) {
      if (full()) return;
      add(child, depth + 1);
    }
    text += localNameOf(node) === 'br' ? ' ' : gap;
  }

  add(element, 0);
  return cut(text.replace(/\s+/g, ' ').trim(), chars);
}

/** The children as they are rendered: a host shows its shadow root, a slot what was assigned to it. */
function shownInside(element: Element): Iterable<Node> {
  const shadow = shadowRootOf(element);
  if (shadow) return childNodesOf(shadow);
  if (localNameOf(element) !== 'slot') return childNodesOf(element);
  const assigned = (element as HTMLSlotElement).assignedNodes?.() ?? [];
  return assigned.length > 0 ? assigned : childNodesOf(element);
}

export function styleOf(element: Element): CSSStyleDeclaration | undefined {
  return viewOf(ownerOf(element))?.getComputedStyle(element);
}
