// The context that is sent with an error: the page's annotations, the user's recent actions, and timing where that is
// switched on.

import type { CaptureEvent, Core } from './core';
import { cut } from './text';

const WATERFALL_ENTRIES = 100;
const WATERFALL_MILLIS = 30_000;
const MARKS = 50;
const RECENT_ACTIONS = 5;

type LogEvent = Extract<CaptureEvent, { type: 'console' | 'error' }>;

export function withErrorContext<E extends LogEvent>(core: Core, event: E): E {
  // Only errors thrown by code: a resource that did not load has no component.
  if (event.stack && event.id) core.safely(() => core.context.snapshotReact(event.id as string));
  return core.safely(() => enriched(core, event)) ?? event;
}

function enriched<E extends LogEvent>(core: Core, event: E): E {
  const enrichments: string[] = [];
  const added: Partial<LogEvent> = {};
  const annotations = core.context.annotations();
  if (annotations) {
    added._context = annotations;
    enrichments.push('context');
  }
  const actions = core.context.actions().slice(-RECENT_ACTIONS).map(brief);
  if (actions.length > 0) {
    added._actions = actions;
    enrichments.push('userActions');
  }
  const metadata: Record<string, unknown> = {};
  if (core.switches.networkWaterfall) {
    metadata.networkWaterfall = waterfall();
    enrichments.push('networkWaterfall');
  }
  if (core.switches.performanceMarks) {
    metadata.performanceMarks = marks();
    enrichments.push('performanceMarks');
  }
  if (Object.keys(metadata).length > 0) added.metadata = { ...(event.metadata as object | undefined), ...metadata };
  return enrichments.length > 0 ? { ...event, ...added, _enrichments: enrichments } : event;
}

/** The few facts about an action that say what the user was doing. */
function brief(event: CaptureEvent): unknown {
  const action = event as Extract<CaptureEvent, { type: 'action' }>;
  const { selectors, text, value, inputType, key, toUrl } = action;
  const target = selectors?.testId ?? selectors?.id ?? selectors?.role?.name ?? selectors?.cssPath;
  return {
    ts: action.ts,
    type: action.action_type,
    ...(target && { target }),
    ...(text && { text }),
    ...(inputType && { inputType }),
    ...(value && { value: cut(value, 200) }),
    ...(key && { key }),
    ...(toUrl && { toUrl }),
  };
}

function waterfall(): unknown[] {
  const since = performance.now() - WATERFALL_MILLIS;
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  return entries
    .filter((entry) => entry.startTime >= since)
    .slice(-WATERFALL_ENTRIES)
    .map((entry) => ({
      url: cut(entry.name, 300),
      type: entry.initiatorType,
      start: Math.round(entry.startTime),
      dns: Math.round(entry.domainLookupEnd - entry.domainLookupStart),
      connect: Math.round(entry.connectEnd - entry.connectStart),
      wait: Math.round(entry.responseStart - entry.requestStart),
      receive: Math.round(entry.responseEnd - entry.responseStart),
      duration: Math.round(entry.duration),
      size: entry.transferSize,
    }));
}

function marks(): unknown[] {
  return [...performance.getEntriesByType('mark'), ...performance.getEntriesByType('measure')]
    .sort((a, b) => a.startTime - b.startTime)
    .slice(-MARKS)
    .map(({ name, entryType, startTime, duration }) => ({
      name: cut(name, 100),
      type: entryType,
      start: Math.round(startTime),
      ...(duration > 0 && { duration: Math.round(duration) }),
    }));
}
