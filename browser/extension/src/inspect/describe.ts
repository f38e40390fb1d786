// One element, as it appears in the answer.

import { DOM_TEXT_CHARS } from 'gasoline-capture/limits.gen';
import { cut } from 'gasoline-capture/text';
import type { Box, Child, Match } from 'gasoline-capture/wire.gen';
import { attributesOf, boxOf, childrenOf, isElement, localNameOf, matches, shadowRootOf } from './dom';
import type { Place } from './places';
import { type Field, isField, isSecret, tellable, tellableAttribute } from './secrets';
import { isShown } from './visibility';
import { styleOf, textOf } from './visible-text';

const ATTRIBUTE_CHARS = 500;
const ATTRIBUTES = 30;
const CHILDREN = 50;

/** Whether another element may be described; `false` once the allowance is used up. */
export type Allowance = () => boolean;

export function describe(element: Element): Child {
  return { tag: localNameOf(element), attributes: describeAttributes(element), text: textOf(element, DOM_TEXT_CHARS) };
}

function describeAttributes(element: Element): Record<string, string> {
  const secret = isSecret(element);
  const described: Record<string, string> = {};
  for (const { name, value } of Array.from(attributesOf(element)).slice(0, ATTRIBUTES)) {
    described[name] = cut(tellableAttribute(element, name, value, secret), ATTRIBUTE_CHARS);
  }
  return described;
}

export function describeChildren(parent: Element | ShadowRoot, depth: number, allowed: Allowance): Child[] {
  // The selected option would reveal what a secret field contains.
  if (depth === 0 || (isElement(parent) && isSecret(parent))) return [];
  const described: Child[] = [];
  const shadow = isElement(parent) ? shadowRootOf(parent) : null;
  if (shadow && allowed()) {
    const inner = describeChildren(shadow, depth, allowed);
    if (inner.length > 0) described.push({ tag: '#shadow-root', attributes: {}, text: '', children: inner });
  }
  for (const child of Array.from(childrenOf(parent))) {
    if (described.length >= CHILDREN || !allowed()) break;
    const children = describeChildren(child, depth - 1, allowed);
    described.push({ ...describe(child), ...(children.length > 0 && { children }) });
  }
  return described;
}

export function describeBox(element: Element, { x, y }: Place): Box {
  const box = boxOf(element);
  return {
    x: Math.round(x + box.x),
    y: Math.round(y + box.y),
    width: Math.round(box.width),
    height: Math.round(box.height),
  };
}

export function isVisible(element: Element, place: Place): boolean {
  return place.shown && isShown(element);
}

export type FieldState = Pick<Match, 'value' | 'checked' | 'disabled'>;

/** The current value of a field; its attributes only contain the initial one. */
export function describeField(element: Element): FieldState {
  const state: FieldState = {};
  if (matches(element, ':disabled')) state.disabled = true;
  if (!isField(element)) return state;
  if (/^(checkbox|radio)$/.test(element.type)) state.checked = (element as HTMLInputElement).checked;
  else if (element.type !== 'image')
    state.value = cut(tellable(currentValue(element), isSecret(element)), DOM_TEXT_CHARS);
  return state;
}

function currentValue(field: Field): string {
  if (field.type !== 'select-multiple') return field.value;
  return Array.from((field as HTMLSelectElement).selectedOptions, (option) => option.value).join(', ');
}

const DEFAULT_STYLES = [
  'display',
  'position',
  'width',
  'height',
  'margin',
  'padding',
  'flex',
  'grid',
  'visibility',
  'opacity',
  'overflow',
  'z-index',
  'color',
  'background-color',
  'font-size',
];
const STYLES = 50;

export function describeStyles(element: Element, properties: string[] | undefined): Record<string, string> {
  const style = styleOf(element);
  const wanted = properties && properties.length > 0 ? properties : DEFAULT_STYLES;
  const described: Record<string, string> = {};
  for (const property of wanted.slice(0, STYLES)) {
    // People write both `backgroundColor` and `background-color`.
    const name = property.startsWith('--')
      ? property
      : property.trim().replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    described[property] = cut(style?.getPropertyValue(name) ?? '', ATTRIBUTE_CHARS);
  }
  return described;
}
