// Six ways to find an element again, the most stable first.

import { accessibleName } from './accessible-name';
import { CSS_PATH_LEVELS, SELECTOR_TEXT_CHARS } from './limits.gen';
import { attribute, isA } from './natives';
import { cut } from './text';
import type { Selectors } from './wire.gen';

const NAME_CHARS = 100;
const TEST_ID_ATTRIBUTES = ['data-testid', 'data-test-id', 'data-cy', 'data-test'];

const ROLES: Record<string, string> = {
  button: 'button',
  textarea: 'textbox',
  select: 'combobox',
  img: 'img',
  nav: 'navigation',
  main: 'main',
  header: 'banner',
  footer: 'contentinfo',
  aside: 'complementary',
  option: 'option',
  li: 'listitem',
  summary: 'button',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
};
const INPUT_ROLES: Record<string, string> = {
  checkbox: 'checkbox',
  radio: 'radio',
  search: 'searchbox',
  number: 'spinbutton',
  range: 'slider',
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
};

export function computeSelectors(element: Element): Selectors {
  const selectors: Selectors = {};
  const testId = TEST_ID_ATTRIBUTES.map((name) => attribute(element, name)).find((value) => value);
  if (testId) selectors.testId = testId;
  const ariaLabel = attribute(element, 'aria-label');
  if (ariaLabel) selectors.ariaLabel = cut(ariaLabel, NAME_CHARS);
  const role = attribute(element, 'role') || implicitRole(element);
  const name = role && cut(accessibleName(element), NAME_CHARS);
  if (role && name) selectors.role = { role, name };
  if (element.id && isUniqueId(element)) selectors.id = element.id;
  const text = isClickable(element) ? visibleText(element) : '';
  if (text && text.length <= SELECTOR_TEXT_CHARS) selectors.text = text;
  selectors.cssPath = cssPath(element);
  return selectors;
}

export function implicitRole(element: Element): string | null {
  const tag = element.localName;
  if (tag === 'input') return INPUT_ROLES[attribute(element, 'type') ?? 'text'] ?? 'textbox';
  if (tag === 'a') return element.hasAttribute('href') ? 'link' : null;
  return ROLES[tag] ?? null;
}

/** The element a click is meant for: a `<span>` inside a button stands for the button. */
export function meaningful(element: Element): Element {
  return (
    element.closest(
      'button, a[href], [role="button"], [role="link"], [role="menuitem"], [role="tab"], summary, label',
    ) ?? element
  );
}

function isClickable(element: Element): boolean {
  return element.matches(
    'button, a, summary, label, option, [role="button"], [role="link"], [role="menuitem"], [role="tab"], [onclick], input[type="submit"], input[type="button"]',
  );
}

export function visibleText(element: Element): string {
  // What was typed is told by an action of its own, where secrets are known by their field.
  if (element.matches('textarea, select, input:not([type=button i], [type=submit i], [type=reset i])')) return '';
  const text = isA(element, HTMLInputElement) ? element.value : (element.textContent ?? '');
  return cut(text.slice(0, 1_000).replace(/\s+/g, ' ').trim(), SELECTOR_TEXT_CHARS + 1);
}

function isUniqueId(element: Element): boolean {
  if (isGenerated(element.id)) return false;
  const root = element.getRootNode() as Document | ShadowRoot;
  return root.querySelectorAll(`#${CSS.escape(element.id)}`).length === 1;
}

export function cssPath(element: Element): string {
  const parts: string[] = [];
  let current: Element | null = element;
  while (current && current !== document.body && parts.length < CSS_PATH_LEVELS) {
    if (current.id && isUniqueId(current)) {
      parts.unshift(`#${CSS.escape(current.id)}`);
      break;
    }
    const classes = [...current.classList].filter((name) => !isDynamicClass(name)).slice(0, 2);
    const step = [current.localName, ...classes.map((name) => CSS.escape(name))].join('.');
    parts.unshift(step + position(current, step));
    current = current.parentElement;
  }
  return parts.join(' > ');
}

/** Which child it is, where a brother looks the same. */
function position(element: Element, step: string): string {
  const parent = element.parentElement;
  if (!parent) return '';
  // Lists can be long: the first brother that looks the same is enough.
  let other = parent.firstElementChild;
  while (other && (other === element || !other.matches(step))) other = other.nextElementSibling;
  if (!other) return '';
  let place = 1;
  for (let before = element.previousElementSibling; before; before = before.previousElementSibling) place++;
  return `:nth-child(${place})`;
}

/** Classes that a build made up and will make up differently next time. Plain words are not among them. */
export function isDynamicClass(name: string): boolean {
  if (/^(css|sc|emotion|styled|chakra|jsx|svelte|jss|makeStyles|mui|tw)-/.test(name)) return true;
  return /^_ng/.test(name) || isGenerated(name);
}

/** Made up by a program: letters and digits mixed as no one writes them, framework ids, long numbers. */
function isGenerated(text: string): boolean {
  if (/:r\w*:|«r\w*»|[0-9a-f]{8}-[0-9a-f]{4}/.test(text)) return true;
  const tail = text.split(/[-_:]/).at(-1) ?? text;
  if (/^\d{5,}$/.test(tail)) return true;
  const mixed = tail.length >= 5 && /\d/.test(tail) && /[A-Za-z]/.test(tail);
  return mixed && !/^[A-Za-z]+\d{1,3}$/.test(tail);
}
