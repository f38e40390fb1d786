import { expect, test } from 'vitest';
import { hasAuthHeader, isSensitive, sanitizeHeaders } from '../src/redact';
import {
  SENSITIVE_HEADER,
  SENSITIVE_INPUT,
  SENSITIVE_NAMES,
  SENSITIVE_PURPOSE,
  SENSITIVE_STATE,
} from '../src/sensitive.gen';

/**
 * A name in the spellings that separate its words, and in upper case. Single words are not recognised in camel case.
 */
const styles = (name: string) => [name.replaceAll(' ', '-'), name.replaceAll(' ', '_'), name, name.toUpperCase()];
const field = (fields: object) =>
  ({ type: 'text', value: '', labels: [], getAttribute: () => null, ...fields }) as never;

test.each(SENSITIVE_NAMES)('$name is sensitive wherever the table says so', ({ name, header, input, state }) => {
  for (const written of styles(name)) {
    expect.soft(SENSITIVE_HEADER.test(written) || !header).toBe(true);
    expect.soft(SENSITIVE_INPUT.test(written) || !input).toBe(true);
    expect.soft(SENSITIVE_STATE.test(written) || !state).toBe(true);
  }
});

test('headers and inputs are judged by the table', () => {
  const names = SENSITIVE_NAMES.filter(({ header }) => header).map(({ name }) => name.replaceAll(' ', '-'));
  const cleaned = sanitizeHeaders(names.map((name) => [name, 'value'] as const));
  expect(new Set(Object.values(cleaned))).toEqual(new Set(['[REDACTED]']));
  expect(sanitizeHeaders([['Accept', 'text/html']])).toEqual({ accept: 'text/html' });
  expect(hasAuthHeader([['X-Api-Key', '1']])).toBe(true);
  for (const { name } of SENSITIVE_NAMES.filter(({ input }) => input))
    expect(isSensitive(field({ id: name }))).toBe(true);
  expect(isSensitive(field({ id: 'city' }))).toBe(false);
});

test.each(['cc-number', 'billing cc-csc', 'current-password', 'one-time-code'])('autocomplete %s', (purpose) => {
  expect(SENSITIVE_PURPOSE.test(purpose)).toBe(true);
});

test.each(['passenger', 'compass', 'passport', 'shipping', 'account', 'spinner'])('%s is an ordinary input', (name) => {
  expect(SENSITIVE_INPUT.test(name)).toBe(false);
});
