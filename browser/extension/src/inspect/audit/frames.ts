// Which frame is which. Both sides count: a frame finds its place among its parent's, and the parent that of an element,
// without a word between them that the page could hear.

import { find, ownerOf } from '../dom';
import { placesOf } from '../places';

/** Where this frame is, from the top; nothing where it can't know. */
export function framePath(): string | null {
  const steps: string[] = [];
  for (let at: Window = window; at !== at.parent; at = at.parent) {
    const step = placeIn(at.parent, at) ?? hiddenPlace(at);
    if (step === undefined) return null;
    steps.unshift(step);
  }
  return pathOf(steps);
}

/** Where the frame in this element is. */
export function pathInside(own: string, element: HTMLIFrameElement): string | null {
  const inner = element.contentWindow;
  const step = (inner && placeIn(window, inner)) ?? `hidden ${framesOf(document).indexOf(element)}`;
  return pathOf([...own.split('/').filter(Boolean), step]);
}

export function hasFrames(): boolean {
  return framesOf(document).length > 0;
}

function pathOf(steps: string[]): string {
  return `/${steps.join('/')}`;
}

function placeIn(parent: Window, child: Window): string | undefined {
  for (let index = 0; index < parent.length; index++) if (parent[index] === child) return String(index);
  return undefined;
}

/** Frames in shadow roots are in no window's list; the element can be asked for where the origin is the same. */
function hiddenPlace(child: Window): string | undefined {
  try {
    const element = child.frameElement;
    return element ? `hidden ${framesOf(ownerOf(element)).indexOf(element)}` : undefined;
  } catch {
    return undefined;
  }
}

/** The frames of one document, those in its shadow roots too. */
function framesOf(document: Document): Element[] {
  return placesOf(document)
    .places.filter(({ frame }) => frame === undefined)
    .flatMap(({ root }) => Array.from(find(root, 'iframe, frame')));
}
