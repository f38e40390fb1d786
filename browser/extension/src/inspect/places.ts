// All trees of a page: its document, and inside it open shadow roots and frames of the same origin.

import { boxOf, documentIn, find, localNameOf, shadowRootOf, urlOf } from './dom';
import type { Spot } from './unique-selector';
import { isShown } from './visibility';

export interface Place extends Spot {
  /** The address of the frame, for a tree inside one. */
  frame?: string;
  /** The origin of this tree's coordinates, in the page's own coordinates. */
  x: number;
  y: number;
  /** Whether the frame around it is visible. */
  shown: boolean;
}

export interface Places {
  places: Place[];
  /** Frames of other origins, which nothing in this page can look into. */
  closedFrames: number;
  /** Whether there was time to search everything. */
  complete: boolean;
}

const CHECK_EVERY = 1_000;

export function placesOf(document: Document, late: () => boolean = () => false): Places {
  const places: Place[] = [{ root: document, x: 0, y: 0, shown: true }];
  let closedFrames = 0;
  let seen = 0;
  // The list grows while it is walked: each tree adds those it contains.
  for (const place of places) {
    for (const element of find(place.root, '*')) {
      if (++seen % CHECK_EVERY === 0 && late()) return { places, closedFrames, complete: false };
      const shadow = shadowRootOf(element);
      if (shadow) places.push({ ...place, root: shadow, inside: { element, place } });
      if (!/^i?frame$/.test(localNameOf(element))) continue;
      const inner = documentIn(element);
      if (inner) places.push(framed(inner, element, place));
      else closedFrames++;
    }
  }
  return { places, closedFrames, complete: true };
}

function framed(root: Document, element: Element, place: Place): Place {
  const box = boxOf(element);
  return {
    root,
    inside: { element, place },
    frame: urlOf(root),
    x: place.x + box.x + element.clientLeft,
    y: place.y + box.y + element.clientTop,
    shown: place.shown && isShown(element),
  };
}
