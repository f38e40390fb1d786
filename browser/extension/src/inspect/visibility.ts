// Whether a person could see an element after scrolling to it.

import { boxOf } from './dom';

/** Chrome 120 knows the older names only. */
const OPTIONS = {
  opacityProperty: true,
  visibilityProperty: true,
  checkOpacity: true,
  checkVisibilityCSS: true,
};

export function isShown(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width > 0 && height > 0 && isRendered(element);
}

/** As above, for what may have no box of its own but shows its content. */
export function isRendered(element: Element): boolean {
  return Element.prototype.checkVisibility.call(element, OPTIONS);
}
