import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { Breaker } from 'gasoline-capture/breaker';
import {
  ANNOTATION_WARN_BYTES,
  BREAKER_SECONDS,
  CAPTURE_SCRIPT_BYTES,
  EXTENSION_ID,
  EXTENSION_KEY,
} from 'gasoline-capture/limits.gen';
import { expect, test } from 'vitest';
import { AnnotationMonitor } from '../src/background/annotation-monitor';
import { NO_COUNTS } from '../src/background/counts';
import { takeBatch, withFields } from '../src/background/intake';
import { MemoryGuard } from '../src/background/memory-guard';
import { checkServer, fromFile, readStored } from '../src/shared/settings';

const MB = 1_048_576;
const file = (path: string) => new URL(`../${path}`, import.meta.url);

test('five failures in a row open the breaker for half a minute; one success closes it', () => {
  let now = 0;
  const breaker = new Breaker(() => now);
  expect([1, 2, 3, 4].map(() => breaker.failed())).toEqual([100, 500, 2_000, 2_000]);
  expect(breaker.state).toBe('closed');
  expect(breaker.failed()).toBe(BREAKER_SECONDS * 1_000);
  expect(breaker.state).toBe('open');
  now += BREAKER_SECONDS * 1_000 - 1;
  expect(breaker.isOpen).toBe(true);
  now += 1;
  expect(breaker.state).toBe('half-open');
  // One attempt is allowed; its failure opens the breaker again at once.
  expect(breaker.failed()).toBe(BREAKER_SECONDS * 1_000);
  now += BREAKER_SECONDS * 1_000;
  breaker.succeeded();
  expect(breaker.state).toBe('closed');
  expect(breaker.failed()).toBe(100);
});

test('three large annotations within a minute cause a warning, until a minute passes without any', () => {
  let now = 0;
  const monitor = new AnnotationMonitor(() => now);
  for (let index = 0; index < 5; index++) monitor.note(ANNOTATION_WARN_BYTES);
  expect(monitor.warning).toBeNull();
  monitor.note(ANNOTATION_WARN_BYTES + 1);
  now = 30_000;
  monitor.note(ANNOTATION_WARN_BYTES + 1);
  now = 60_000;
  monitor.note(ANNOTATION_WARN_BYTES + 1);
  expect(monitor.warning).toBeNull();
  now = 61_000;
  monitor.note(30 * 1_024);
  expect(monitor.warning).toEqual({ kilobytes: 30 });
  now = 61_000 + 59_999;
  expect(monitor.warning).not.toBeNull();
  now += 1;
  expect(monitor.warning).toBeNull();
});

test('annotations are measured in bytes', () => {
  const monitor = new AnnotationMonitor(() => 0);
  const take = (text: string) => {
    const event = JSON.stringify({ type: 'error', level: 'error', message: 'm', _context: { key: text } });
    const batch = { events: [event], dropped: 0, urgent: false, held: 0, pageId: 'p' };
    for (let times = 0; times < 3; times++) takeBatch(batch, 1, 0, 'page', { ...NO_COUNTS }, monitor);
  };
  take('e'.repeat(ANNOTATION_WARN_BYTES / 2 + 500));
  expect(monitor.warning).toBeNull();
  // As many characters, and twice as many bytes.
  take('é'.repeat(ANNOTATION_WARN_BYTES / 2 + 500));
  expect(monitor.warning).toEqual({ kilobytes: 21 });
});

test('memory use is estimated from what is queued here and in the pages', () => {
  let queue = 0;
  let now = 0;
  const guard = new MemoryGuard(
    () => queue,
    () => now,
  );
  guard.note('page', 20 * MB);
  expect(guard.state).toBe('normal');
  queue = 1;
  expect(guard.state).toBe('soft');
  guard.note('page', 50 * MB);
  expect(guard.state).toBe('hard');
  guard.note('page', 0);
  expect(guard.state).toBe('normal');
  // A crashed page must not count for ever.
  guard.note('crashed', 60 * MB);
  now = 59_999;
  expect(guard.state).toBe('hard');
  now = 60_000;
  expect(guard.state).toBe('normal');
  queue = 10 * MB;
  expect(guard.state).toBe('normal');
  queue++;
  expect(guard.state).toBe('soft');
});

test.each([
  ['127.0.0.1:7890', { server: 'http://127.0.0.1:7890' }],
  ['http://localhost:9/', { server: 'http://localhost:9' }],
  ['http://[::1]:7890', { server: 'http://[::1]:7890' }],
])('%s is a valid server', (text, expected) => expect(checkServer(text)).toEqual(expected));

test.each(['http://192.168.0.2:7890', 'https://127.0.0.1:7890', 'example.com', '::', ''])(
  '%j is not a valid server',
  (text) => expect(checkServer(text)).toHaveProperty('problem'),
);

test('settings of another version or a tampered file are read as far as they are valid', () => {
  expect(
    readStored({ captureConsole: 'yes', captureLevel: 'loud', sites: [1], unknown: 1, captureActions: false }),
  ).toEqual({ captureActions: false });
  expect(readStored(null)).toEqual({});
  expect(fromFile({ port: 1234, sites: ['all'], bodies: true })).toEqual({
    server: 'http://127.0.0.1:1234',
    sites: ['all'],
    captureNetworkBodies: true,
  });
  expect(fromFile({ port: 'x' } as never)).toEqual({});
});

test('the manifest pins our id', () => {
  const { key, version } = JSON.parse(readFileSync(file('static/manifest.json'), 'utf8'));
  expect(key).toBe(EXTENSION_KEY);
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32);
  expect([...digest].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('')).toBe(EXTENSION_ID);
  expect(version).toBe(JSON.parse(readFileSync(file('package.json'), 'utf8')).version);
});

test('fields are added to an event that is already text', () => {
  expect(withFields('{"a":1}', { b: 2 })).toBe('{"a":1,"b":2}');
  expect(withFields('{"a":1}', {})).toBe('{"a":1}');
});

test('the extension requests only the permissions it needs', () => {
  const manifest = JSON.parse(readFileSync(file('static/manifest.json'), 'utf8'));
  expect(manifest.permissions).toEqual([
    'alarms',
    // Flags of a page's cookies, for security_audit: no script can read them.
    'cookies',
    'offscreen',
    'scripting',
    'storage',
    'tabCapture',
    'userScripts',
  ]);
  expect(manifest.web_accessible_resources).toBeUndefined();
});

test('the scripts that run in pages stay within their size budget', () => {
  // Built by `npm run build`, which `cargo xtask test` runs first.
  for (const name of ['page.js', 'page-bodies.js']) {
    expect(statSync(file(`dist/${name}`)).size).toBeLessThanOrEqual(CAPTURE_SCRIPT_BYTES);
  }
  expect(statSync(file('dist/content.js')).size).toBeLessThan(12 * 1_024);
});
