// Decides which elements hold values that must not leave the page.

import { isCardNumber, isSensitive, REDACTED_INPUT } from 'gasoline-capture/redact';
import { SENSITIVE_INPUT, SENSITIVE_PURPOSE } from 'gasoline-capture/sensitive.gen';
import { attribute, find, localNameOf, type Root, rootOf, textContentOf } from './dom';

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const SHOWS_ITS_VALUE = /^(button|submit|reset|image|checkbox|radio|range|color)$/;

export function isField(element: Element): element is Field {
  return /^(input|textarea|select)$/.test(localNameOf(element));
}

export function isSecret(element: Element): boolean {
  // Components pass these attributes on to the field inside them.
  if (/^password$/i.test(attribute(element, 'type') ?? '')) return true;
  if (SENSITIVE_PURPOSE.test(attribute(element, 'autocomplete') ?? '')) return true;
  if (!isField(element)) return false;
  // The text on a button is not secret, "Add card" least of all.
  if (SHOWS_ITS_VALUE.test(element.type)) return isCardNumber(element.value);
  if (isSensitive(element)) return true;
  return [attribute(element, 'placeholder'), attribute(element, 'title'), labelledBy(element)].some(
    (text) => text && SENSITIVE_INPUT.test(text),
  );
}

function labelledBy(element: Element): string {
  const ids = (attribute(element, 'aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
  const root = rootOf(element) as Root;
  return ids.map((id) => textContentOf(find(root, `#${CSS.escape(id)}`)[0] ?? element) ?? '').join(' ');
}

/** The value with secrets removed. */
export function tellable(value: string, secret: boolean): string {
  return value !== '' && secret ? REDACTED_INPUT : value;
}

/** An attribute with secrets removed: a repetition of a secret value is secret, too. */
export function tellableAttribute(element: Element, name: string, value: string, secret: boolean): string {
  if (isCardNumber(value)) return REDACTED_INPUT;
  if (!secret) return value;
  const repeated = isField(element) && value !== '' && value === element.value;
  return name === 'value' || repeated ? tellable(value, true) : value;
}
