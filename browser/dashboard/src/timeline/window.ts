// The time window that is shown.

import type { Row } from '../messages.gen';

export type Window = { kind: 'all' } | { kind: 'last'; millis: number } | { kind: 'fixed'; from: number; to: number };

export interface Span {
  from: number;
  to: number;
}

/** The shortest span, so that the shortest session is visible, too. */
const LEAST_MILLIS = 100;

export const DAY_MILLIS = 86_400_000;
/** No entry stays in a buffer longer than this. */
const ODD_MILLIS = 30 * DAY_MILLIS;
/** Clocks may differ by this much. */
const AHEAD_MILLIS = 3_600_000;
/** Among this many events, one may be days older than the others without counting for the span. */
const FEW = 20;

/**
 * From the first event to the end of the last one. Events of a wrong clock do not count, because they would squeeze all
 * others into one line; they are shown at the edge. `rows` are in the order of their times.
 */
export function wholeSpan(rows: readonly Row[], now = Number.POSITIVE_INFINITY): Span {
  const known = rows.filter(({ t }) => t <= now + AHEAD_MILLIS);
  const usual = known.length > 0 ? known : rows;
  const newest = usual.at(-1)?.t ?? 0;
  const older = usual.filter(({ t }) => t < newest - DAY_MILLIS).length;
  const least = newest - (older * FEW <= usual.length ? DAY_MILLIS : ODD_MILLIS);
  const from = usual.find(({ t }) => t >= least)?.t ?? newest;
  const to = usual.reduce((last, { t, d = 0 }) => Math.max(last, t + d), from);
  return { from, to: Math.max(to, from + LEAST_MILLIS) };
}

export function spanOf(window: Window, whole: Span): Span {
  if (window.kind === 'all') return whole;
  if (window.kind === 'last') return { from: Math.max(whole.from, whole.to - window.millis), to: whole.to };
  // The window cannot show what the buffers no longer hold.
  const from = Math.min(Math.max(window.from, whole.from), whole.to - LEAST_MILLIS);
  return { from, to: Math.max(Math.min(window.to, whole.to), from + LEAST_MILLIS) };
}

/** Moves one edge or the whole window by a share of the whole span. Edges never pass each other. */
export function moved(span: Span, whole: Span, edge: 'from' | 'to' | 'both', by: number): Window {
  const least = Math.min(LEAST_MILLIS, whole.to - whole.from);
  if (edge === 'both') {
    const step = Math.min(Math.max(by, whole.from - span.from), whole.to - span.to);
    return { kind: 'fixed', from: span.from + step, to: span.to + step };
  }
  const { from, to } = span;
  if (edge === 'from') {
    return { kind: 'fixed', from: Math.min(Math.max(from + by, whole.from), to - least), to };
  }
  return { kind: 'fixed', from, to: Math.max(Math.min(to + by, whole.to), from + least) };
}

/** Whether an event overlaps the window. Events outside of the whole span are at its edge. */
export function isWithin({ t, d = 0 }: Pick<Row, 't' | 'd'>, { from, to }: Span, whole: Span): boolean {
  return Math.min(t, whole.to) <= to && Math.max(t + d, whole.from) >= from;
}
