// Explains what is wrong with a selector, so that the next one is right.

import { namedError } from './named-error';

const FOREIGN: [RegExp, string][] = [
  [/^\s*$/, 'it is empty'],
  [/^\s*(\/\/|\/html|xpath=)/, 'this is XPath; only CSS is supported'],
  [/>>/, 'give only the inner selector: open shadow roots and frames of the same origin are searched anyway'],
  [/^\s*(text|role|css|id|data-testid)=/, 'this is the syntax of a test tool; only CSS is supported'],
  [/:contains\(|:has-text\(|:text\(/, 'CSS cannot select by text; select by tag, attribute or class and read `text`'],
  [
    /:(visible|hidden|first|last|eq|gt|lt|input|button|checkbox|radio|selected)(\(|$|[\s.#[:,>+~])/,
    'this pseudo-class belongs to jQuery, not to CSS',
  ],
  [
    /(^|[\s>+~,])[#.](?=\d)/,
    'a name that begins with a digit has to be escaped, as in `#\\31 23`, or asked for as `[id="123"]`',
  ],
  [/(^|[^\\])[#.][\w-]*[@/$!%]/, 'special characters in a name have to be escaped with a backslash'],
  [/^\s*[>+~]|[>+~]\s*$|[>+~]\s*[>+~]/, 'a combinator (`>`, `+`, `~`) needs a selector on both sides'],
  [/^\s*,|,\s*(,|$)/, 'one side of a comma is empty'],
  [/[#.](\s|$|[>+~,])/, 'there is no name after `#` or `.`'],
];

export function invalidSelector(selector: unknown): Error {
  if (typeof selector !== 'string') return namedError('InvalidSelector', 'The selector has to be a string of CSS.');
  const reason = unbalanced(selector) ?? FOREIGN.find(([pattern]) => pattern.test(selector))?.[1];
  return namedError(
    'InvalidSelector',
    `\`${selector.slice(0, 200)}\` is not a valid CSS selector${reason ? `: ${reason}` : ': the browser cannot parse it'}.`,
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
 * The selector without its last compound: what should contain the element that was not found. `undefined` for a single
 * compound, or for a list of selectors.
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

/** Yields strings and escapes as a whole, and everything else character by character. */
function* pieces(selector: string): Generator<{ kind: 'string' | 'other'; text: string }> {
  for (const [text] of selector.matchAll(/"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\\.|./gs)) {
    yield { kind: /^["']/.test(text) ? 'string' : 'other', text };
  }
}
