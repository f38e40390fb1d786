// Load times of the page, and its responsiveness since.

import type { CaptureEvent, Host } from './core';
import { PERFORMANCE_AFTER_LOAD_MILLIS, SLOWEST_REQUESTS } from './limits.gen';
import { clock, guarded, nowMillis, setTimer } from './natives';
import type { Moments } from './observers';
import { cut } from './text';
import { watchVitals } from './vitals';
import type { ByType, NetworkSummary, TypeTotal } from './wire.gen';

const URL_CHARS = 300;
/** A task longer than this is blocking; only the time beyond it counts. */
const LONG_TASK_MILLIS = 50;
const INP_REPORT_MILLIS = 1_000;
const TASKS = 1_000;

type Snapshot = Extract<CaptureEvent, { type: 'performance' }>;

/** `server`: requests to it are ours, not the page's. */
export function installPerformance(host: Host, { onLoad, onRoute }: Moments, server = ''): void {
  // Frames inside a page load at any time; the user waits only for the page's own load.
  if (window !== window.top) return;
  const tasks: Array<{ start: number; duration: number }> = [];
  let loaded = false;
  let inpDue = false;
  let waiting = 0;
  let taken = 0;
  const { vitals, restart } = watchVitals((name) => {
    if (name !== 'INP' || !loaded || inpDue) return;
    inpDue = true;
    setTimer(() => {
      inpDue = false;
      // A pending snapshot will contain the figure.
      if (!host.alive || taken !== waiting || vitals.INP === undefined) return;
      host.emit({ ...base(), metric: 'INP', value: vitals.INP, unit: 'ms' });
    }, INP_REPORT_MILLIS);
  });
  host.safely(() =>
    new PerformanceObserver(
      guarded((list) => {
        for (const { startTime, duration } of list.getEntries()) {
          if (tasks.length < TASKS) tasks.push({ start: startTime, duration });
        }
      }),
    ).observe({ type: 'longtask', buffered: true }),
  );

  onLoad(() => later(0, false));
  onRoute(() => {
    if (!loaded) return;
    restart();
    later(clock(), true);
  });

  function later(since: number, route: boolean): void {
    const turn = ++waiting;
    setTimer(() => {
      loaded = true;
      // Another route change came in the meantime; its snapshot is enough.
      if (turn !== waiting || !host.alive) return;
      taken = turn;
      host.later(() => void host.safely(() => host.emit(snapshot(since, route))));
    }, PERFORMANCE_AFTER_LOAD_MILLIS);
  }

  function base(): Snapshot {
    return { type: 'performance', url: location.pathname, ts: nowMillis() };
  }

  function snapshot(since: number, route: boolean): Snapshot {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const blocking = tasks.filter(({ start }) => start >= since);
    const { FCP, LCP, CLS, INP } = vitals;
    return {
      ...base(),
      ...(route && { softNavigation: true }),
      timing: route
        ? {}
        : {
            domContentLoaded: round(navigation?.domContentLoadedEventEnd),
            load: round(navigation?.loadEventEnd),
            timeToFirstByte: round(navigation?.responseStart),
            domInteractive: round(navigation?.domInteractive),
            ...(FCP !== undefined && { firstContentfulPaint: round(FCP) }),
            ...(LCP !== undefined && { largestContentfulPaint: round(LCP) }),
          },
      network: network(since, server),
      longTasks: {
        count: blocking.length,
        totalBlockingTime: round(blocking.reduce((sum, { duration }) => sum + duration - LONG_TASK_MILLIS, 0)),
        longest: round(blocking.reduce((longest, { duration }) => Math.max(longest, duration), 0)),
      },
      ...(CLS !== undefined && { cumulativeLayoutShift: Math.round(CLS * 10_000) / 10_000 }),
      ...(INP !== undefined && { interactionToNextPaint: round(INP) }),
    };
  }
}

function network(since: number, server: string): NetworkSummary {
  const entries = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
    ({ startTime, name }) => startTime >= since && !(server && name.startsWith(`${server}/`)),
  );
  const total = (pick: (entry: PerformanceResourceTiming) => number) =>
    entries.reduce((sum, entry) => sum + pick(entry), 0);
  const byType: ByType = {};
  for (const entry of entries) {
    const kind = typeOf(entry);
    const sum: TypeTotal = byType[kind] ?? { count: 0, size: 0 };
    byType[kind] = { count: (sum.count ?? 0) + 1, size: (sum.size ?? 0) + entry.transferSize };
  }
  return {
    requestCount: entries.length,
    transferSize: total((entry) => entry.transferSize),
    decodedSize: total((entry) => entry.decodedBodySize),
    byType,
    slowestRequests: entries
      .toSorted((a, b) => b.duration - a.duration)
      .slice(0, SLOWEST_REQUESTS)
      .map(({ name, duration, transferSize }) => ({
        url: cut(name, URL_CHARS),
        duration: round(duration),
        size: transferSize,
      })),
  };
}

function typeOf({ initiatorType, name }: PerformanceResourceTiming): keyof ByType {
  const path = name.split(/[?#]/)[0] ?? '';
  if (/\.(woff2?|ttf|otf|eot)$/i.test(path)) return 'font';
  if (initiatorType === 'fetch' || initiatorType === 'xmlhttprequest' || initiatorType === 'beacon') return 'fetch';
  if (initiatorType === 'script' || /\.m?js$/i.test(path)) return 'script';
  if (/\.css$/i.test(path)) return 'style';
  if (initiatorType === 'img' || initiatorType === 'image' || /\.(png|jpe?g|gif|webp|avif|svg|ico)$/i.test(path))
    return 'image';
  return 'other';
}

function round(value = 0): number {
  return Math.round(value * 10) / 10;
}
