// Checks the reports of `gasoline report` with outside tools: a real tokenizer and the schema that CI systems use.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { validateXML } from 'xmllint-wasm';
import { FIXTURES, failureThatSays, HOSTILE, ORDINARY } from '../../support/failures';
import { BINARY } from '../../support/gasoline';

function report(info: TestInfo, format: string, ...snapshots: object[]): string {
  const paths = snapshots.map((one, index) => {
    const path = info.outputPath(`${index}.json`);
    writeFileSync(path, JSON.stringify(one));
    return path;
  });
  return execFileSync(BINARY, ['report', '--format', format, '--input', ...paths], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
}

test('a failure takes less than 500 tokens, whatever a page says', ({}, info) => {
  const counts: number[] = [];
  for (const text of [...ORDINARY, ...HOSTILE]) {
    const told = report(info, 'ai-context', failureThatSays(text));
    for (const encode of [o200k, cl100k]) counts.push(encode(told, { allowedSpecial: 'all' }).length);
    expect.soft(Math.max(...counts.slice(-2)), `${text.slice(0, 60)}:\n${told}`).toBeLessThan(500);
    expect.soft(told).toContain('## Test Failure');
    expect.soft(told).toContain('### Diagnosis Hints');
  }
  console.log(`${counts.length / 2} texts: ${Math.min(...counts)} to ${Math.max(...counts)} tokens`);
});

test('JUnit reports match the schema, and the schema rejects invalid ones', async ({}, info) => {
  const schema = readFileSync(join(FIXTURES, 'junit/junit.xsd'), 'utf8');
  const passed = {
    test_id: 'p',
    test: { test_id: 'p', title: 'fine', status: 'passed' },
    logs: [],
    network_bodies: [],
  };
  const skipped = {
    test_id: 's',
    test: { test_id: 's', title: 'not now', status: 'skipped' },
    logs: [],
    network_bodies: [],
  };
  const texts = [...ORDINARY, ...HOSTILE];
  const documents = texts.map((text) => report(info, 'junit', failureThatSays(text, 3), passed, skipped));
  documents.push(report(info, 'junit', passed));
  const broken = report(info, 'junit', passed).replace('<testcase ', '<testcase surprise="yes" ');
  // All in one call: the validator takes longer to start than to validate.
  const { errors } = await validateXML({
    xml: [...documents, broken].map((contents, index) => ({ fileName: `${index}.xml`, contents })),
    schema: [schema],
  });
  const refused = new Set(errors.map(({ loc }) => loc?.fileName));
  for (const [index, text] of [...texts, 'passed'].entries()) {
    const said = errors.filter(({ loc }) => loc?.fileName === `${index}.xml`);
    expect.soft(said, text.slice(0, 60)).toEqual([]);
  }
  expect([...refused], 'the schema rejects unknown parts, and nothing else').toEqual([`${documents.length}.xml`]);
});
