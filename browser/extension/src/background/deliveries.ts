// Accepts the batches of pages: takes each once, tags and counts its events, and puts them into the queue.

import { captureSettings } from '../shared/capture-settings';
import type { TabCounts } from '../shared/messages';
import type { Delivery } from '../shared/page-messages';
import type { Settings } from '../shared/settings';
import { judge } from '../shared/sites';
import type { AnnotationMonitor } from './annotation-monitor';
import { NO_COUNTS } from './counts';
import type { Enricher } from './enrich';
import { pageIdOf, takeBatch, withFields } from './intake';
import type { MemoryGuard } from './memory-guard';
import { pageSafety } from './page-safety';
import type { EventQueue } from './queue';
import type { Screenshots } from './screenshots';
import { write } from './storage';

/** Enough characters of a document's id to make it unique. */
const DOCUMENT_CHARS = 12;
/** Busy connections report at least this often. */
const SAMPLING_MILLIS = 5_000;

export interface DeliveryParts {
  settings(): Settings;
  queue: EventQueue;
  memoryGuard: MemoryGuard;
  annotations: AnnotationMonitor;
  enricher: Enricher;
  screenshots: Screenshots;
  /** Called when events of this tab are in the queue. */
  queued(tabId: number, urgent: boolean): void;
}

export class Deliveries {
  private readonly counts = new Map<number, TabCounts>();
  /** How much of the pages' time our code took, while debugging. */
  private readonly intercepts = { count: 0, millis: 0 };
  /** What pages left out because capture took too much of their time. */
  readonly reduced = { bodies: 0, sockets: 0 };
  private sampledAt = 0;
  latestAt = 0;

  constructor(private readonly parts: DeliveryParts) {}

  /** Restores the counts from before the worker was stopped. */
  restore(counts: Record<string, TabCounts> | undefined): void {
    for (const [tab, known] of Object.entries(counts ?? {})) this.counts.set(Number(tab), known);
  }

  countsOf(tabId: number | null): TabCounts {
    return (tabId !== null && this.counts.get(tabId)) || NO_COUNTS;
  }

  clearCounts(): void {
    for (const tabCounts of this.counts.values()) Object.assign(tabCounts, NO_COUNTS);
    this.saveCounts();
  }

  forgetTab(tabId: number): void {
    this.counts.delete(tabId);
  }

  get isSampling(): boolean {
    return Date.now() - this.sampledAt < SAMPLING_MILLIS;
  }

  /** Milliseconds that our code adds to one call of the page's. */
  get interceptMillis(): number {
    const { count, millis } = this.intercepts;
    return count === 0 ? 0 : millis / count;
  }

  /** Resolves to true once the events are stored so that they outlive this worker. */
  async take({ from, number, batch, unjudged }: Delivery, sent: chrome.runtime.MessageSender): Promise<boolean> {
    const { queue, memoryGuard, enricher, screenshots, annotations } = this.parts;
    const settings = this.parts.settings();
    const tabId = sent.tab?.id;
    if (tabId === undefined) return true;
    this.latestAt = Date.now();
    if (queue.isRepeat(from, number)) return true;
    const address = /^https?:/.test(sent.url ?? '') ? sent.url : sent.origin;
    if (unjudged && !judge(address ?? '', settings).captured) return true;
    const isNewPage = number === 0 && sent.frameId === 0;
    const tabCounts = (!isNewPage && this.counts.get(tabId)) || { ...NO_COUNTS };
    this.counts.set(tabId, tabCounts);
    const wanted = unjudged ? captureSettings(settings, memoryGuard.state) : undefined;
    const frameId = sent.frameId ?? 0;
    const documentName = sent.documentId?.slice(0, DOCUMENT_CHARS) ?? batch.pageId;
    const taken = takeBatch(batch, tabId, frameId, documentName, tabCounts, annotations, wanted);
    const { events, malformed, errors, failures, loads, sampling } = taken;
    if (sampling) this.sampledAt = Date.now();
    this.intercepts.count += batch.intercepts?.count ?? 0;
    this.intercepts.millis += batch.intercepts?.millis ?? 0;
    this.reduced.bodies += batch.reduced?.bodies ?? 0;
    this.reduced.sockets += batch.reduced?.sockets ?? 0;
    memoryGuard.note(from, batch.held);
    const { documentId } = sent;
    if (documentId && loads.length > 0) {
      const safety = await pageSafety({ tabId, documentId, url: address ?? '' });
      for (const index of loads) events[index] = withFields(events[index] ?? '', safety);
    }
    await queue.add(from, number, events, batch.dropped + malformed);
    if (documentId && failures.length > 0) {
      enricher.note(failures, { tabId, id: documentId, pageId: pageIdOf(documentName, frameId), url: address ?? '' });
    }
    if (settings.screenshotOnError && errors.length > 0) void screenshots.take(sent.tab, errors);
    this.saveCounts();
    this.parts.queued(tabId, batch.urgent);
    return true;
  }

  private saveCounts(): void {
    void write({ counts: Object.fromEntries(this.counts) });
  }
}
