// The types that are generated from Rust must match the contract fixtures, the same files that the Rust side reads. The
// compiler checks the assignments below, and the tests check the rest.

import { expect, test } from 'vitest';
import dom from '../../../fixtures/wire/dom-snapshots.json';
import performance from '../../../fixtures/wire/performance-snapshot.json';
import * as limits from '../src/limits.gen';
import type {
  DomSnapshot,
  EnhancedAction,
  Level,
  LogEntry,
  NetworkBody,
  PerformanceSnapshot,
  WebSocketEvent,
} from '../src/wire.gen';

// A JSON file infers wider types for numbers and strings than the generated ones; these two shapes have no such fields.
const snapshots: Array<Omit<DomSnapshot, 'worker'>> = dom.snapshots.map(({ worker: _, ...rest }) => rest);
const { worker: _, ...load } = performance;
const snapshot: Omit<PerformanceSnapshot, 'worker'> = load;

test('fixtures fit the generated types', () => {
  expect(snapshots[0]?.elements?.[0]?.role).toBe('heading');
  expect(snapshot.timing?.load).toBe(480);
});

test('entries can be written with the generated types', () => {
  const level: Level = 'warn';
  const log: LogEntry = { level, message: 'm', ts: 1, _aiContext: { summary: 's' }, tabId: 1, test_id: 't' };
  const event: WebSocketEvent = { event: 'message', connection_id: 'c', sampled: { rate: '1/s' } };
  const body: NetworkBody = { url: '/x', hasAuthHeader: true, cookies: [{ name: 'sid', httpOnly: true }] };
  const action: EnhancedAction = { type: 'click', selectors: { testId: 'a', role: { role: 'button', name: 'b' } } };
  expect(JSON.parse(JSON.stringify([log, event, body, action]))).toEqual([log, event, body, action]);
});

test('limits are the contract’s', () => {
  expect(limits.REQUEST_BODY_BYTES).toBe(8 * 1024);
  expect(limits.RESPONSE_BODY_BYTES).toBe(16 * 1024);
  expect(limits.WEBSOCKET_MESSAGE_BYTES).toBe(4 * 1024);
  expect(limits.DEFAULT_PORT).toBe(7890);
});

test('the extension id is derived from its key', async () => {
  const key = Uint8Array.from(atob(limits.EXTENSION_KEY), (char) => char.charCodeAt(0));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', key));
  const hex = Array.from(hash.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const id = Array.from(hex, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('');
  expect(id).toBe(limits.EXTENSION_ID);
});
