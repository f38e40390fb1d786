// An element's accessible name, as far as locators need it: references, labels, text alternatives, then its text. (The
// full algorithm, in dom-accessibility-api, would take a third of our size budget in a page. A test compares the two on
// ordinary markup.)

import { attribute, isA } from './natives';

const DEPTH = 20;

export function accessibleName(element: Element): string {
  return tidy(nameOf(element, true) || attribute(element, 'title') || '');
}

function nameOf(element: Element, followReferences: boolean): string {
  if (followReferences) {
    const root = element.getRootNode() as Document | ShadowRoot;
    const ids = (attribute(element, 'aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
    const referred = ids.flatMap((id) => root.getElementById?.(id) ?? []);
    const text = referred.map((other) => nameOf(other, false) || textOf(other, 0)).join(' ');
    if (tidy(text)) return text;
  }
  const label = attribute(element, 'aria-label');
  if (label?.trim()) return label;
  if (isA(element, HTMLInputElement) && /^(submit|reset|button)$/.test(element.type)) {
    return element.value || { submit: 'Submit', reset: 'Reset', button: '' }[element.type] || '';
  }
  if (element.localName === 'img' || element.localName === 'area' || element.matches('input[type="image"]')) {
    return attribute(element, 'alt') ?? '';
  }
  const { labels } = element as HTMLInputElement;
  if (labels && labels.length > 0) return Array.from(labels, (other) => textOf(other, 0, element)).join(' ');
  if (element.matches('input, textarea, select')) {
    return attribute(element, 'title') ?? attribute(element, 'placeholder') ?? '';
  }
  if (element.localName === 'fieldset') return element.querySelector(':scope > legend')?.textContent ?? '';
  return takesNameFromContent(element) ? textOf(element, 0) : '';
}

function takesNameFromContent(element: Element): boolean {
  const role = attribute(element, 'role');
  return role
    ? /^(button|cell|checkbox|columnheader|gridcell|heading|link|menuitem\w*|option|radio|row|rowheader|switch|tab|tooltip|treeitem)$/.test(
        role,
      )
    : element.matches('button, a[href], summary, option, h1, h2, h3, h4, h5, h6, td, th, legend');
}

/** The content as a screen reader would announce it. */
function textOf(element: Element, depth: number, leaveOut?: Element): string {
  let text = '';
  for (const node of element.childNodes) {
    if (isA(node, Text)) text += node.data;
    if (!isA(node, Element) || depth > DEPTH || node === leaveOut) continue;
    if (attribute(node, 'aria-hidden') === 'true' || node.matches('script, style, template') || isHidden(node))
      continue;
    const own = attribute(node, 'aria-label') ?? (node.localName === 'img' ? (attribute(node, 'alt') ?? '') : null);
    const inner = own ?? textOf(node, depth + 1, leaveOut);
    text += isInline(node) ? inner : ` ${inner} `;
  }
  return text;
}

function isHidden(element: Element): boolean {
  return (
    isA(element, HTMLElement) &&
    (element.hasAttribute('hidden') || !element.checkVisibility({ visibilityProperty: true }))
  );
}

function isInline(element: Element): boolean {
  return getComputedStyle(element).display === 'inline';
}

function tidy(text: string): string {
  return text.slice(0, 2_000).replace(/\s+/g, ' ').trim();
}
