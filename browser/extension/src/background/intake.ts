// Accepts a batch from a page: checks each event, tags it with its tab, and counts it.

import { type ErrorEvent, type Failure, failuresIn } from 'gasoline-capture/components/failures';
import type { CaptureSettings } from 'gasoline-capture/index';
import { byteLength } from 'gasoline-capture/text';
import { isWanted } from 'gasoline-capture/wanted';
import type { TabCounts } from '../shared/messages';
import type { FromPage } from '../shared/page-messages';
import type { AnnotationMonitor } from './annotation-monitor';
import { count, type EventFacts } from './counts';

const TYPES = new Set(['console', 'error', 'network', 'websocket', 'action', 'performance', 'dom_snapshot']);

export interface Taken {
  /** Events as JSON texts with their tab and page. */
  events: string[];
  /** Invalid events. A page cannot send such, so they mean that something is broken. */
  malformed: number;
  /** Ids of the errors among them. */
  errors: string[];
  /** Those of the errors that code threw. */
  failures: Failure[];
  /** The indices of page loads and route changes in `events`. */
  loads: number[];
  /** A connection is so fast that only some of its messages are kept. */
  sampling: boolean;
}

/**
 * `page`: fields that all events of a document share; the content script's own events get them only here. `settings`:
 * given when the page did not know them.
 */
export function takeBatch(
  batch: FromPage,
  tabId: number,
  frameId: number,
  page: string,
  counts: TabCounts,
  annotations: AnnotationMonitor,
  settings?: CaptureSettings,
): Taken {
  const taken: Taken = { events: [], malformed: 0, errors: [], failures: [], loads: [], sampling: false };
  const pageId = pageIdOf(page, frameId);
  const kept: ErrorEvent[] = [];
  const tags = `,"tabId":${tabId},"page_id":${JSON.stringify(pageId)}}`;
  for (const text of batch.events) {
    const event = read(text);
    if (!event) {
      taken.malformed++;
      continue;
    }
    if (settings && !isWanted(event, settings)) continue;
    count(counts, event);
    if (event.level === 'error' && event.id && event.source !== 'network') taken.errors.push(event.id);
    kept.push(event);
    if (event.stats?.sampling?.active) taken.sampling = true;
    if (event._context !== undefined) annotations.note(byteLength(JSON.stringify(event._context)));
    const length = taken.events.push(text.slice(0, -1) + tags);
    if (event.timing && frameId === 0) taken.loads.push(length - 1);
  }
  taken.failures = failuresIn(kept, Date.now());
  return taken;
}

/** The id of a page load in its entries. */
export function pageIdOf(page: string, frameId: number): string {
  return frameId === 0 ? page : `${page}.${frameId}`;
}

interface Details extends ErrorEvent {
  _context?: unknown;
  timing?: unknown;
  stats?: { sampling?: { active?: boolean } };
}

function read(text: string): (EventFacts & Details) | undefined {
  try {
    const event = JSON.parse(text) as EventFacts;
    return typeof event === 'object' && event !== null && TYPES.has(event.type) && text.endsWith('}')
      ? event
      : undefined;
  } catch {
    return undefined;
  }
}

/** Adds these fields to the text of an event. */
export function withFields(text: string, fields: object): string {
  const more = JSON.stringify(fields).slice(1);
  return more === '}' ? text : `${text.slice(0, -1)},${more}`;
}
