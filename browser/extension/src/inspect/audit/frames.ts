// Matches frames on both sides of a frame border. A frame finds its index in its parent's list, and the parent finds
// the index of an element, without a message that the page could see.

import { find, ownerOf } from '../dom';
import { placesOf } from '../places';

/** The path of this frame from the top; `null` where it cannot be known. */
export function framePath(): string | null {
  const steps: string[] = [];
  for (let at: Window = window; at !== at.parent; at = at.parent) {
    const step = placeIn(at.parent, at) ?? hiddenPlace(at);
    if (step === undefined) return null;
    steps.unshift(step);
  }
  return pathOf(steps);
}

/** The path of the frame in this element. */
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

/**
 * Frames in shadow roots are not in a window's list. Where the origin is the same, the element can be found instead.
 */
function hiddenPlace(child: Window): string | undefined {
  try {
    const element = child.frameElement;
    return element ? `hidden ${framesOf(ownerOf(element)).indexOf(element)}` : undefined;
  } catch {
    return undefined;
  }
}

/** The frames of one document, including those in its shadow roots. */
function framesOf(document: Document): Element[] {
  return placesOf(document)
    .places.filter(({ frame }) => frame === undefined)
    .flatMap(({ root }) => Array.from(find(root, 'iframe, frame')));
}
