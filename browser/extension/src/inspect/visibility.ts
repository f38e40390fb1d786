// Whether a person could see an element after scrolling to it.

import { boxOf } from './dom';

/** Chrome 120 knows only the older names. */
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

/** The same for elements that may have no box of their own but show their content. */
export function isRendered(element: Element): boolean {
  return Element.prototype.checkVisibility.call(element, OPTIONS);
}
