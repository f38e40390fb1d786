// The reports of `gasoline report`, judged by others: a real tokenizer and the schema that CI systems read.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, type TestInfo, test } from '@playwright/test';
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { validateXML } from 'xmllint-wasm';
import { BINARY } from '../../support/gasoline';

const FIXTURES = resolve(import.meta.dirname, '../../../../fixtures');
const { texts: HOSTILE } = JSON.parse(readFileSync(join(FIXTURES, 'hostile/texts.json'), 'utf8')) as {
  texts: string[];
};
const START = Date.UTC(2026, 10, 16);

/** A failed test in which everything says `text`, often. */
function snapshot(text: string, times = 30): object {
  const at = (millis: number) => new Date(START + millis).toISOString();
  const list = <T>(make: (index: number) => T) => Array.from({ length: times }, (_, index) => make(index));
  return {
    timestamp: at(5_000),
    test_id: 't',
    test: {
      test_id: 't',
      title: text,
      file: 'a.spec.ts',
      line: 3,
      status: 'failed',
      error: `Error: ${text}`,
      duration_ms: 12.3456,
    },
    logs: list((index) => ({
      ts: at(index),
      type: 'exception',
      level: 'error',
      message: `${index} ${text}`,
      stack: `Error\n    at ${text.slice(0, 200)} (http://localhost/app.js:${index + 1}:1)`,
    })),
    network_bodies: list((index) => ({
      ts: at(index),
      method: 'POST',
      url: `http://localhost/api/${encodeURIComponent(text.slice(0, 100))}/${index}`,
      status: 500,
      requestBody: text,
      responseBody: text,
    })),
    websocket_events: list((index) => ({
      ts: at(index),
      event: 'close',
      id: 'c',
      url: 'ws://localhost/',
      code: 1011,
      reason: text,
    })),
    enhanced_actions: list((index) => ({ ts: at(index), type: 'click', selectors: { text } })),
    dom_snapshots: [{ ts: at(1), elements: [{ role: 'heading', level: 1, text, visible: true }] }],
  };
}

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

const ORDINARY = [
  'Cannot read properties of undefined (reading "street")',
  'TypeError: Failed to fetch dynamically imported module: http://localhost:5173/src/pages/Checkout.tsx?t=1731715200000',
  '{"error":"validation_failed","details":[{"field":"email","code":"required"},{"field":"address.zip","code":"pattern"}]}',
  '0f8fad5b-d9cb-469f-a165-70867728950e 7c9e6679-7425-40de-944b-e07fc1f90ae7 '.repeat(8),
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'.repeat(6),
  'aGVsbG8gd29ybGQgdGhpcyBpcyBiYXNlNjQgYW5kIGxvbmc'.repeat(10),
  '支付失败：服务器没有响应，请稍后再试。'.repeat(20),
  'Оплата не прошла: сервер не отвечает. '.repeat(20),
  'הזמנה נכשלה 🙂🚀👩‍👩‍👧 '.repeat(30),
  'xqzjkvwpf bcdfg hjklm npqrs tvwxz '.repeat(20),
  '!@#$%^&*()_+-=[]{}|;:\'",.<>/?`~ '.repeat(30),
  '123456789012345678901234567890 '.repeat(20),
  'camelCaseIdentifiersThatGoOnAndOnWithoutEnd_snake_case_too_ '.repeat(20),
];

test('a failure takes less than 500 tokens, whatever a page says', ({}, info) => {
  const counts: number[] = [];
  for (const text of [...ORDINARY, ...HOSTILE]) {
    const told = report(info, 'ai-context', snapshot(text));
    for (const encode of [o200k, cl100k]) counts.push(encode(told, { allowedSpecial: 'all' }).length);
    expect.soft(Math.max(...counts.slice(-2)), `${text.slice(0, 60)}:\n${told}`).toBeLessThan(500);
    expect.soft(told).toContain('## Test Failure');
    expect.soft(told).toContain('### Diagnosis Hints');
  }
  console.log(`${counts.length / 2} texts: ${Math.min(...counts)} to ${Math.max(...counts)} tokens`);
});

test('JUnit reports keep to the schema, and the schema is one', async ({}, info) => {
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
  const documents = texts.map((text) => report(info, 'junit', snapshot(text, 3), passed, skipped));
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
  expect([...refused], 'it refuses what it does not know, and nothing else').toEqual([`${documents.length}.xml`]);
});
