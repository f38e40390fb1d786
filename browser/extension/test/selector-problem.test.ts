import { expect, test } from 'vitest';
import { invalidSelector, withoutLast } from '../src/inspect/selector-problem';

test.each([
  ['#a .b > .c', '#a .b'],
  ['ul>li', 'ul'],
  ['a[title="x > y"] ~ b:not(.c .d)', 'a[title="x > y"]'],
  ['.one', undefined],
  ['a:is(b, c)', undefined],
  ['a b, c d', undefined],
  ['.a\\ b .c', '.a\\ b'],
])('%s without its last part is %s', (selector, expected) => expect(withoutLast(selector)).toBe(expected));

test.each([
  ['div[', '`[` is not closed'],
  ['a:not(.b', '`(` is not closed'],
  ['[title="x]', 'the quote " is not closed'],
  ['a)', 'a `)` has no `(`'],
  ['', 'it is empty'],
  ['//div[@id]', 'XPath'],
  ['#host >>> p', 'give only the inner selector'],
  ['text=Save', 'test tool'],
  ['p:contains(x)', 'cannot select by text'],
  ['li:first', 'jQuery'],
  ['#1st', 'begins with a digit'],
  ['a >', 'combinator'],
  ['a,, b', 'comma'],
  ['.', 'no name after'],
])('%s: %s', (selector, reason) => {
  const { name, message } = invalidSelector(selector);
  expect(name).toBe('InvalidSelector');
  expect(message).toContain(`\`${selector}\` is not a valid CSS selector`);
  expect(message).toContain(reason);
});

test('a selector that is not a string is rejected', () => {
  expect(invalidSelector(7).message).toBe('The selector has to be a string of CSS.');
});
