// Secrets that are recognised by their place never leave the page. The server removes credentials inside texts.

import { attribute } from './natives';
import { AUTH_HEADER, SENSITIVE_HEADER, SENSITIVE_INPUT, SENSITIVE_PURPOSE } from './sensitive.gen';

export const REDACTED_HEADER = '[REDACTED]';
export const REDACTED_INPUT = '[redacted]';

export function sanitizeHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) kept[name.toLowerCase()] = SENSITIVE_HEADER.test(name) ? REDACTED_HEADER : value;
  return kept;
}

export function hasAuthHeader(headers: Iterable<readonly [string, string]>): boolean {
  for (const [name] of headers) if (AUTH_HEADER.test(name)) return true;
  return false;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Fields that have been password fields at any time: a "show password" button turns them into plain text fields. */
const hidden = new WeakSet<Element>();

/** Called before a click takes effect: a password field stays secret when its value is shown. */
export function rememberPasswords(near: ParentNode): void {
  for (const field of near.querySelectorAll('input[type="password" i]')) hidden.add(field);
}

/** Whether the field's value must not leave the page. */
export function isSensitive(field: Field): boolean {
  if (field.type === 'password') hidden.add(field);
  if (hidden.has(field)) return true;
  // Also matches `billing cc-number`.
  if (SENSITIVE_PURPOSE.test(field.autocomplete ?? '')) return true;
  const names = [field.name, field.id, attribute(field, 'aria-label'), labelOf(field)];
  if (names.some((name) => name && SENSITIVE_INPUT.test(name))) return true;
  return isCardNumber(field.value);
}

function labelOf(field: Field): string {
  return Array.from(field.labels ?? [], (label) => label.textContent ?? '').join(' ');
}

/** 13 to 19 digits that pass the Luhn check. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  if (!/^\d{13,19}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
