import { DASHBOARD_MOMENTS } from 'gasoline-capture/limits.gen';
import { expect, test } from 'vitest';
import { millis } from '../src/format';
import type { News, OpenConnection, Row } from '../src/messages.gen';
import { Model, merge, RATE_SECONDS } from '../src/model';
import { DAY_MILLIS, isWithin, moved, spanOf, wholeSpan } from '../src/timeline/window';

const row = (c: number, more: Partial<Row> = {}): Row => ({
  c,
  b: 'l',
  t: c * 10,
  k: 'console',
  id: `log-${c}`,
  l: 'log',
  x: `line ${c}`,
  ...more,
});
const REACH = { l: 0, n: 0, w: 0, a: 0 };
const cursors = (rows: readonly Row[]) => rows.map(({ c }) => c);
const news = (more: Partial<News>): News => ({ now: Date.now(), mark: 'aa-1-0', ...more });

test('rows are in the order in which things happened', () => {
  const rows = merge([row(1), row(3)], [row(4, { t: 5 }), row(2)], REACH);
  expect(cursors(rows)).toEqual([4, 1, 2, 3]);
});

test('a row that is told again takes the place of the old one', () => {
  const rows = merge([row(1), row(2)], [row(1, { x: 'explained' })], REACH);
  expect(rows.map(({ x }) => x)).toEqual(['explained', 'line 2']);
});

test('what left a buffer leaves the timeline, of that buffer alone', () => {
  const rows = merge([row(1), row(2, { b: 'n' }), row(3)], [], { ...REACH, l: 3 });
  expect(cursors(rows)).toEqual([2, 3]);
});

test('a failed request that is known with its details comes once', () => {
  const told = row(1, { k: 'network', r: 'r1' });
  const other = row(2, { k: 'network', r: 'r2' });
  expect(cursors(merge([told, other], [row(3, { b: 'n', k: 'network', r: 'r1' })], REACH))).toEqual([2, 3]);
});

test('the newest stay when there are too many', () => {
  const rows = merge(
    [],
    Array.from({ length: DASHBOARD_MOMENTS + 1 }, (_, place) => row(place + 1)),
    REACH,
  );
  expect([rows.length, rows[0]?.c]).toEqual([DASHBOARD_MOMENTS, 2]);
});

test('after a reset nothing of before counts', () => {
  const model = new Model();
  model.take(news({ reset: true, rows: [row(1)], calls: { from: 1, whole: true, list: [] } }));
  model.take(news({ reset: true, rows: [row(9)] }));
  expect(cursors(model.rows)).toEqual([9]);
});

test('calls are added, and the oldest leave', () => {
  const call = (number: number) => ({ number }) as NonNullable<News['calls']>['list'][number];
  const model = new Model();
  model.take(news({ calls: { from: 1, whole: true, list: [call(1), call(2)] } }));
  model.take(news({ calls: { from: 2, whole: false, list: [call(3)] } }));
  expect(model.calls.map(({ number }) => number)).toEqual([2, 3]);
});

test('rates begin with what is in the buffer, and go on with the totals', () => {
  const now = Date.now();
  const socket = (incoming: number): OpenConnection => ({
    id: 's',
    state: 'open',
    sampling: {},
    messageRate: {
      incoming: { perSecond: 0, total: incoming, bytes: 0 },
      outgoing: { perSecond: 0, total: 0, bytes: 0 },
    },
  });
  const message = (c: number, secondsAgo: number) =>
    row(c, { b: 'w', k: 'websocket', s: 's', t: now - secondsAgo * 1_000, x: 'socket /x → {}' });
  const model = new Model();
  const rows = [message(1, 0.5), message(2, 2.5), message(3, 2.6), message(4, RATE_SECONDS + 5)];
  model.take(news({ now, reset: true, rows, sockets: { open: [socket(40)], closed: [] } }));
  expect(model.rates.get('s')?.incoming.slice(-3)).toEqual([2, 0, 1]);
  model.take(news({ sockets: { open: [socket(47)], closed: [] } }));
  model.second();
  expect(model.rates.get('s')?.incoming.slice(-3)).toEqual([0, 1, 7]);
  expect(model.rates.get('s')?.incoming).toHaveLength(RATE_SECONDS);
  model.take(news({ sockets: { open: [], closed: [] } }));
  expect(model.rates.size).toBe(0);
});

test('windows of time stay within the whole, and their edges apart', () => {
  const whole = wholeSpan([row(0), row(1, { t: 900, d: 100 })]);
  expect(whole).toEqual({ from: 0, to: 1_000 });
  expect(spanOf({ kind: 'all' }, whole)).toEqual(whole);
  expect(spanOf({ kind: 'last', millis: 300 }, whole)).toEqual({ from: 700, to: 1_000 });
  expect(spanOf({ kind: 'last', millis: 5_000 }, whole)).toEqual(whole);
  expect(spanOf({ kind: 'fixed', from: -50, to: 5_000 }, whole)).toEqual(whole);
  expect(spanOf({ kind: 'fixed', from: 2_000, to: 3_000 }, whole)).toEqual({ from: 900, to: 1_000 });
  const span = { from: 200, to: 400 };
  expect(moved(span, whole, 'from', 50)).toMatchObject({ from: 250, to: 400 });
  expect(moved(span, whole, 'from', 500)).toMatchObject({ from: 300, to: 400 });
  expect(moved(span, whole, 'to', -500)).toMatchObject({ from: 200, to: 300 });
  expect(moved(span, whole, 'both', 5_000)).toMatchObject({ from: 800, to: 1_000 });
  expect(moved(span, whole, 'both', -5_000)).toMatchObject({ from: 0, to: 200 });
  expect(isWithin(row(0, { t: 150, d: 60 }), span, whole)).toBe(true);
  expect(isWithin(row(0, { t: 150, d: 40 }), span, whole)).toBe(false);
  expect(isWithin(row(0, { t: 401 }), span, whole)).toBe(false);
});

test('one odd clock does not make a line of all the others', () => {
  const now = Date.now();
  const usual = Array.from({ length: 40 }, (_, place) => row(place + 1, { t: now - 40_000 + place * 1_000 }));
  const rows = [row(90, { t: 0 }), ...usual, row(91, { t: now + 9 * DAY_MILLIS })];
  const whole = wholeSpan(rows, now);
  expect(whole).toEqual({ from: now - 40_000, to: now - 1_000 });
  // They are at the edges, and with those in sight.
  expect(rows.filter((each) => isWithin(each, whole, whole))).toHaveLength(42);
  const middle = { from: now - 30_000, to: now - 20_000 };
  expect(rows.filter((each) => isWithin(each, middle, whole))).toHaveLength(11);
  expect(wholeSpan([row(1, { t: 0 })], now)).toEqual({ from: 0, to: 100 });
});

test('a session of days is shown whole', () => {
  const rows = Array.from({ length: 40 }, (_, place) => row(place + 1, { t: (place * DAY_MILLIS) / 10 }));
  expect(wholeSpan(rows)).toEqual({ from: 0, to: 3.9 * DAY_MILLIS });
});

test('a minute is never 60 seconds', () => {
  expect([59_700, 119_800, 123_000, 3_400].map(millis)).toEqual(['1 min 0 s', '2 min 0 s', '2 min 3 s', '3.4 s']);
});
