// Captured text that tries to become code: scripts and fixtures still parse, and contain no additional code.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parse } from 'acorn';
import { expect, test } from '../../support/test';

const { texts } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../fixtures/hostile/texts.json'), 'utf8'),
) as { texts: string[] };

/** All identifiers; names of properties do not count. */
function names(script: string): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node & Record<string, unknown>;
    if (node.type === 'Identifier') found.add(node.name as string);
    for (const [name, child] of Object.entries(node)) {
      const isName = (name === 'key' && !node.computed) || (name === 'property' && !node.computed);
      if (!isName) visit(child);
    }
  };
  visit(parse(script, { ecmaVersion: 'latest', sourceType: 'module' }));
  return found;
}

function session(text: string): Record<string, object> {
  const url = `http://localhost:3000/${text}?${text}=${text}#${text}`;
  const at = (place: number) => 1_770_600_000_000 + place * 3_000;
  const selectors = [
    { testId: text },
    { role: { role: 'button', name: text } },
    { ariaLabel: text },
    { id: text },
    { cssPath: text },
  ];
  const fields = { url, text, value: text, key: text, selectedValue: text };
  const types = ['click', 'input', 'select', 'submit', text];
  return {
    '/enhanced-actions': {
      actions: selectors.map((selectors, place) => ({ ...fields, type: types[place], selectors, ts: at(place) })),
    },
    '/network-bodies': {
      bodies: selectors.map((_, place) => ({
        method: 'POST',
        url: `http://localhost:3000/api/${text}/${'x'.repeat(place)}`,
        status: 200,
        contentType: 'application/json',
        requestBody: JSON.stringify({ operationName: text, query: text }),
        responseBody: JSON.stringify({ [text]: [{ [text]: text }], ['__proto__']: { polluted: text }, a: text }),
        pageUrl: url,
        ts: at(place) + 1,
      })),
    },
    '/dom-snapshots': {
      snapshots: selectors.map((_, place) => ({
        url,
        title: text,
        ts: at(place) + 500,
        elements: [
          { role: 'heading', level: 1, text },
          { testId: text, text: `${text} 5 words` },
        ],
      })),
    },
    '/logs': { entries: [{ type: 'exception', level: 'error', message: text, url, ts: at(6) }] },
  };
}

test('captured text appears only in strings, comments and field names', async ({ gasoline, agent }) => {
  let allowed: Set<string> | undefined;
  for (const text of ['plain words', ...texts]) {
    await gasoline.post('/clear');
    for (const [path, body] of Object.entries(session(text))) await gasoline.post(path, body);
    const { test_script, fixture_file } = await agent.call('generate_test', { test_name: text, fixtures: true });
    const found = names(test_script);
    allowed ??= found;
    expect(
      [...found].filter((name) => !allowed?.has(name) && !/^(pending|answer)\d+$/.test(name)),
      test_script,
    ).toEqual([]);
    expect(test_script + fixture_file).not.toMatch(/[\r\u2028\u2029\u202a-\u202e\u2066-\u2069\0]/);
    expect([...names(fixture_file)]).toEqual(['fixtures']);
    const { fixtures } = await import(`data:text/javascript,${encodeURIComponent(fixture_file)}`);
    for (const fixture of Object.values(fixtures) as { body: object }[]) {
      expect(Object.getPrototypeOf(fixture.body)).toBe(Object.prototype);
      expect(fixture.body).toHaveProperty('a');
    }
  }
});
