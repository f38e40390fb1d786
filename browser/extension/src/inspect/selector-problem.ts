// What is wrong with a selector, in words that lead to a right one.

import { namedError } from './named-error';

const FOREIGN: [RegExp, string][] = [
  [/^\s*$/, 'it is empty'],
  [/^\s*(\/\/|\/html|xpath=)/, 'this is XPath; only CSS is understood'],
  [/>>/, 'give the inner selector alone: open shadow roots and frames of the same origin are searched anyway'],
  [/^\s*(text|role|css|id|data-testid)=/, 'this is the notation of a test tool; only CSS is understood'],
  [/:contains\(|:has-text\(|:text\(/, 'CSS can not ask for text; select by tag, attribute or class and read `text`'],
  [
    /:(visible|hidden|first|last|eq|gt|lt|input|button|checkbox|radio|selected)(\(|$|[\s.#[:,>+~])/,
    'this pseudo-class is of jQuery, not of CSS',
  ],
  [
    /(^|[\s>+~,])[#.](?=\d)/,
    'a name that begins with a digit has to be escaped, as in `#\\31 23`, or asked for as `[id="123"]`',
  ],
  [/(^|[^\\])[#.][\w-]*[@/$!%]/, 'special characters in a name have to be escaped with a backslash'],
  [/^\s*[>+~]|[>+~]\s*$|[>+~]\s*[>+~]/, 'a combinator (`>`, `+`, `~`) needs a selector on both sides'],
  [/^\s*,|,\s*(,|$)/, 'there is nothing on one side of a comma'],
  [/[#.](\s|$|[>+~,])/, 'there is no name after `#` or `.`'],
];

export function invalidSelector(selector: unknown): Error {
  if (typeof selector !== 'string') return namedError('InvalidSelector', 'The selector has to be a string of CSS.');
  const reason = unbalanced(selector) ?? FOREIGN.find(([pattern]) => pattern.test(selector))?.[1];
  return namedError(
    'InvalidSelector',
    `\`${selector.slice(0, 200)}\` is not a valid CSS selector${reason ? `: ${reason}` : ': the browser can not parse it'}.`,
  );
}

function unbalanced(selector: string): string | undefined {
  const open: string[] = [];
  for (const { kind, text } of pieces(selector)) {
    if (kind === 'string' && (text.length < 2 || text.at(-1) !== text[0])) return `the quote ${text[0]} is not closed`;
    if (text === '(' || text === '[') open.push(text);
    if (text === ')' && open.pop() !== '(') return 'a `)` has no `(` before it';
    if (text === ']' && open.pop() !== '[') return 'a `]` has no `[` before it';
  }
  return open.length > 0 ? `\`${open.at(-1)}\` is not closed` : undefined;
}

/**
 * The selector without its last compound: what should contain the element that was not found. None where there is but one
 * compound, or several selectors.
 */
export function withoutLast(selector: string): string | undefined {
  let depth = 0;
  let end = 0;
  let at = 0;
  const trimmed = selector.trim();
  for (const { kind, text } of pieces(trimmed)) {
    if (kind === 'other') {
      if (text === '(' || text === '[') depth++;
      else if (text === ')' || text === ']') depth--;
      else if (text === ',' && depth === 0) return undefined;
      else if (depth === 0 && /[\s>+~]/.test(text)) end = at;
    }
    at += text.length;
  }
  const rest = trimmed.slice(0, end).replace(/[\s>+~]+$/, '');
  return rest === '' ? undefined : rest;
}

/** Strings and escapes as a whole, all else character by character. */
function* pieces(selector: string): Generator<{ kind: 'string' | 'other'; text: string }> {
  for (const [text] of selector.matchAll(/"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\\.|./gs)) {
    yield { kind: /^["']/.test(text) ? 'string' : 'other', text };
  }
}
