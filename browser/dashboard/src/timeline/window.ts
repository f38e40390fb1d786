// The stretch of time that is looked at.

import type { Row } from '../types';

export type Window = { kind: 'all' } | { kind: 'last'; millis: number } | { kind: 'fixed'; from: number; to: number };

export interface Span {
  from: number;
  to: number;
}

/** Something can be seen of the shortest session, too. */
const LEAST_MILLIS = 100;

/** From the first thing that happened to the end of the last one. */
export function wholeSpan(rows: readonly Row[]): Span {
  const from = rows[0]?.t ?? 0;
  const to = rows.reduce((last, { t, d = 0 }) => Math.max(last, t + d), from);
  return { from, to: Math.max(to, from + LEAST_MILLIS) };
}

export function spanOf(window: Window, whole: Span): Span {
  if (window.kind === 'all') return whole;
  if (window.kind === 'last') return { from: Math.max(whole.from, whole.to - window.millis), to: whole.to };
  // What the buffers no longer hold can't be looked at.
  const from = Math.min(Math.max(window.from, whole.from), whole.to - LEAST_MILLIS);
  return { from, to: Math.max(Math.min(window.to, whole.to), from + LEAST_MILLIS) };
}

/** Moves one edge, or all of it, by a share of the whole; edges don't pass each other. */
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

/** Whether something was going on in that time. */
export const isWithin = ({ t, d = 0 }: Row, { from, to }: Span): boolean => t <= to && t + d >= from;
