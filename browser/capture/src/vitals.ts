// The web vitals of this page, by their published definitions. (The web-vitals package would take a fifth of our size
// budget in a page; a test compares the two.)

import { clock, guarded, listen } from './natives';

export interface Vitals {
  FCP?: number;
  LCP?: number;
  CLS?: number;
  INP?: number | undefined;
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}
interface Interaction extends PerformanceEntry {
  interactionId?: number;
}

/** A session window of layout shifts ends after a second without a shift, or after five seconds. */
const GAP_MILLIS = 1_000;
const SESSION_MILLIS = 5_000;
/** INP ignores one of the slowest interactions for every fifty. */
const OUTLIER_EVERY = 50;
const WORST = 10;

export interface WatchedVitals {
  readonly vitals: Vitals;
  /** A view begins without a load: later shifts and interactions belong to it. */
  restart(): void;
}

export function watchVitals(changed: (name: keyof Vitals) => void): WatchedVitals {
  const vitals: Vitals = {};
  let since = 0;
  const set = (name: keyof Vitals, value: number) => {
    vitals[name] = value;
    changed(name);
  };
  let hiddenAt = document.visibilityState === 'hidden' ? 0 : Number.POSITIVE_INFINITY;
  listen(document, 'visibilitychange', (event: Event) => {
    if (document.visibilityState === 'hidden') hiddenAt = Math.min(hiddenAt, event.timeStamp);
  });

  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint' && entry.startTime < hiddenAt) set('FCP', entry.startTime);
  });
  observe('largest-contentful-paint', (entry) => {
    if (entry.startTime < hiddenAt) set('LCP', entry.startTime);
  });

  vitals.CLS = 0;
  let session = { value: 0, first: 0, last: 0 };
  observe('layout-shift', (entry) => {
    const { value, hadRecentInput, startTime } = entry as LayoutShift;
    if (hadRecentInput || startTime < since) return;
    const same = startTime - session.last < GAP_MILLIS && startTime - session.first < SESSION_MILLIS;
    session =
      same && session.value > 0
        ? { value: session.value + value, first: session.first, last: startTime }
        : { value, first: startTime, last: startTime };
    if (session.value > (vitals.CLS ?? 0)) set('CLS', session.value);
  });

  const worst = new Map<number, number>();
  const seen = new Set<number>();
  const interactions = () => (performance as { interactionCount?: number }).interactionCount;
  let earlier = 0;
  const interaction = (entry: PerformanceEntry) => {
    const { interactionId, duration } = entry as Interaction;
    if (!interactionId) return;
    seen.add(interactionId);
    worst.set(interactionId, Math.max(duration, worst.get(interactionId) ?? 0));
    const sorted = [...worst].sort(([, a], [, b]) => b - a);
    for (const [id] of sorted.splice(WORST)) worst.delete(id);
    const count = (interactions() ?? seen.size) - earlier;
    const value = sorted[Math.min(sorted.length - 1, Math.floor(count / OUTLIER_EVERY))]?.[1];
    if (value !== undefined && value !== vitals.INP) set('INP', value);
  };
  observe('event', interaction, { durationThreshold: 40 });
  observe('first-input', interaction);
  return {
    vitals,
    restart() {
      since = clock();
      session = { value: 0, first: 0, last: 0 };
      vitals.CLS = 0;
      vitals.INP = undefined;
      worst.clear();
      // The interaction that led here is reported a little later, and is the one that the user waited for: it counts
      // here.
      earlier = Math.max(0, (interactions() ?? seen.size) - 1);
    },
  };
}

function observe(type: string, work: (entry: PerformanceEntry) => void, options: object = {}): void {
  try {
    const each = guarded((list: PerformanceObserverEntryList) => {
      for (const entry of list.getEntries()) work(entry);
    });
    new PerformanceObserver(each).observe({ type, buffered: true, ...options });
  } catch {
    // A browser that does not know this entry type has no such figure.
  }
}
