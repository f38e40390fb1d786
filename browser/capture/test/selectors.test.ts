import { expect, test } from 'vitest';
import { isCardNumber, sanitizeHeaders } from '../src/redact';
import { isDynamicClass } from '../src/selectors';

test.each([
  'css-1ab2c3',
  'sc-bdVaJa',
  'emotion-0',
  'chakra-button',
  'svelte-1tky8bj',
  'jsx-2871293847',
  '_ngcontent-abc-c12',
  'Button_root__x7Gh2',
  'a1b2c3d4',
  'makeStyles-root-12',
])('%s was made by a build', (name) => expect(isDynamicClass(name)).toBe(true));

test.each([
  'button',
  'active',
  'submit-btn',
  'col-12',
  'item3',
  'is-open',
  'nav__item--selected',
  'h1',
  'text-xl',
  'btn2',
  'mt-4',
  'header',
  'card',
])('%s was written by hand', (name) => expect(isDynamicClass(name)).toBe(false));

test.each([
  ['4111 1111 1111 1111', true],
  ['4111-1111-1111-1112', false],
  ['378282246310005', true],
  ['424242424242', false],
  ['4222222222222', true],
  ['6304000000000000000', true],
  ['hello', false],
])('%s is a card number: %s', (text, expected) => expect(isCardNumber(text)).toBe(expected));

test('headers that carry secrets lose their value', () => {
  const names = [
    'Authorization',
    'Cookie',
    'Set-Cookie',
    'X-API-Key',
    'Proxy-Authorization',
    'X-Auth-Token',
    'X-CSRF-Token',
    'My-Secret',
    'db-password',
  ];
  const headers = sanitizeHeaders([...names.map((name) => [name, 'value'] as const), ['Content-Type', 'a/b']]);
  for (const name of names) expect(headers[name.toLowerCase()]).toBe('[REDACTED]');
  expect(headers['content-type']).toBe('a/b');
});
