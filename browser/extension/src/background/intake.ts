// Takes a batch from a page: checks each event, notes which tab it came from, and counts.

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
  /** Events that are none; a page can't send such, so something is broken. */
  malformed: number;
  /** Ids of the errors among them. */
  errors: string[];
  /** Those of them that come from code. */
  failures: Failure[];
  /** Where in `events` the page's loads and route changes are. */
  loads: number[];
  /** A connection is so fast that not all of its messages are kept. */
  sampling: boolean;
}

/**
 * `page`: what all events of a document have in common; what the content script notes by itself has no other way to know.
 * `settings`: given when the page did not know them.
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

/** What a document's entries call the page load they belong to. */
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

/** An event's text with these fields as well. */
export function withFields(text: string, fields: object): string {
  const more = JSON.stringify(fields).slice(1);
  return more === '}' ? text : `${text.slice(0, -1)},${more}`;
}
