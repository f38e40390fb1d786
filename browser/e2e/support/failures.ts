// Failed tests in which every text is the same, many times: ordinary texts, and texts that are hard on the limits.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const FIXTURES = resolve(import.meta.dirname, '../../../fixtures');
export const { texts: HOSTILE } = JSON.parse(readFileSync(join(FIXTURES, 'hostile/texts.json'), 'utf8')) as {
  texts: string[];
};
const START = Date.UTC(2026, 10, 16);

/** A failed test in which every text contains `text`, many times. */
export function failureThatSays(text: string, times = 30): object {
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

export const ORDINARY = [
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
