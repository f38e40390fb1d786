// Captured text that tries to become code stays a string or a comment, in the scripts of both runners.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Comment, type Node, parse } from 'acorn';
import { expect, test } from '../../support/test';

const { texts } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../fixtures/hostile/texts.json'), 'utf8'),
) as { texts: string[] };

/** All identifiers and strings of a script. */
function read(script: string): { names: Set<string>; strings: string[]; comments: string[]; calls: Set<string> } {
  const comments: Comment[] = [];
  const tree = parse(script, { ecmaVersion: 'latest', sourceType: 'module', onComment: comments });
  const found = { names: new Set<string>(), strings: [] as string[], calls: new Set<string>() };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node & Record<string, unknown>;
    if (node.type === 'Identifier') found.names.add(node.name as string);
    if (node.type === 'Literal' && typeof node.value === 'string') found.strings.push(node.value);
    if (node.type === 'CallExpression') {
      const callee = node.callee as unknown as { property?: { name?: string } };
      if (callee.property?.name) found.calls.add(callee.property.name);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(tree);
  return { ...found, comments: comments.map(({ value }) => value) };
}

function session(text: string): { actions: object[]; entries: object[] } {
  const selectors = [
    { testId: text },
    { role: { role: text, name: text } },
    { role: { role: 'button', name: text }, text },
    { ariaLabel: text },
    { text },
    { id: text },
    { cssPath: text },
    { testId: text, cssPath: `li:nth-child(2) > ${text}` },
  ];
  const url = `http://localhost:3000/${text}?${text}=${text}#${text}`;
  const fields = { url, text, value: text, name: text, inputType: text, key: text, selectedValue: text, method: text };
  const types = ['click', 'input', 'select', 'submit', 'keypress', text];
  const actions: object[] = selectors.map((selectors, place) => ({
    ...fields,
    type: types[place % types.length],
    selectors,
    target: text,
    formAction: text,
    ts: 1_770_600_000_000 + place * 3_000,
  }));
  actions.push({ type: 'navigate', url: text, fromUrl: text, toUrl: text, ts: 1_770_600_030_000 });
  const message = `${text} broke`;
  const entries = [
    { type: 'exception', level: 'error', message, filename: text, stack: text, url: text, ts: 1_770_600_040_000 },
  ];
  return { actions, entries };
}

test('captured text appears only in strings and comments', async ({ gasoline, agent }) => {
  // The identifiers of scripts without hostile text; the others may contain no additional ones.
  const allowed = { playwright: new Set<string>(), cypress: new Set<string>() };
  for (const text of ['plain words', 'other', ...texts]) {
    await gasoline.post('/clear');
    const { actions, entries } = session(text);
    await gasoline.post('/enhanced-actions', { actions });
    await gasoline.post('/logs', { entries });
    for (const format of ['playwright', 'cypress'] as const) {
      const { script, actions_used } = await agent.call('get_reproduction_script', { format });
      expect(actions_used, text).toBeGreaterThan(0);
      const { names, strings } = read(script);
      const plain = ['plain words', 'other'].includes(text);
      if (plain) for (const name of names) allowed[format].add(name);
      // Which kinds of steps there are depends on the text: it may not be a valid role or address.
      const known = new Set([...allowed[format], ...STEPS]);
      expect(
        [...names].filter((name) => !known.has(name)),
        text,
      ).toEqual([]);
      const visible = text.includes('[') || text.includes('\n') || text.includes('\\') ? undefined : text;
      if (visible) expect(strings.join('\n'), script).toContain(visible);
      expect(script).not.toMatch(/[\r\u2028\u2029\u202a-\u202e\u2066-\u2069\0]/);
    }
  }
});

/** The identifiers that the generator itself may write. */
const STEPS = [
  ...['pick', 'locator', 'place', 'first', 'waitFor', 'count', 'and', 'page', 'getByTestId', 'getByRole', 'getByLabel'],
  ...['getByText', 'goto', 'click', 'fill', 'focus', 'selectOption', 'keyboard', 'press', 'waitForURL', 'toHaveURL'],
  ...['RegExp', 'toContain', 'toMatch', 'not', 'match', 'to', 'contain', 'should', 'url', 'visit', 'get', 'contains'],
  ...['type', 'clear', 'select', 'submit', 'focused', 'mouse', 'exact', 'name', 'state', 'parseSpecialCharSequences'],
];

test('a Cypress script consists only of the calls that its actions need', async ({ gasoline, agent }) => {
  await gasoline.post('/clear');
  const url = 'http://localhost:3000/';
  await gasoline.post('/enhanced-actions', {
    actions: [
      { type: 'input', selectors: { testId: 'a' }, value: 'x', url },
      { type: 'select', selectors: { id: 'b' }, selectedValue: 'y', url },
      { type: 'click', selectors: { text: 'Go' }, url },
      { type: 'navigate', fromUrl: url, toUrl: `${url}b`, url: `${url}b` },
      { type: 'keypress', key: 'Escape', url: `${url}b` },
    ],
  });
  await gasoline.post('/logs', { entries: [{ type: 'exception', level: 'error', message: 'boom' }] });
  const { script } = await agent.call('get_reproduction_script', { format: 'cypress' });
  const { calls, names } = read(script);
  expect(names).not.toContain('page');
  for (const call of ['visit', 'get', 'clear', 'type', 'select', 'contains', 'click', 'url', 'should', 'wrap', 'on']) {
    expect([...calls]).toContain(call);
  }
});
