// Captured events that have not left the page yet: bounded, and serialized when the page is idle.

import type { CaptureEvent } from './core';
import { ENTRY_BYTES, PAGE_QUEUE_BYTES, PAGE_QUEUE_ENTRIES } from './limits.gen';
import { clock } from './natives';
import { byteLength, toJson } from './text';

/** Room for the fields that the worker adds. */
const TAGS_BYTES = 200;

interface Waiting {
  event: CaptureEvent;
  finish: (() => void) | undefined;
  bytes: number;
}

export interface Drained {
  /** One JSON text per event. */
  events: string[];
  dropped: number;
  /** Time ran out before everything was serialized. */
  more: boolean;
}

export class Queue {
  #waiting: Waiting[] = [];
  #bytes = 0;
  #dropped = 0;

  /** Size of the waiting events in bytes. */
  get held(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** `share`: the share of the usual capacity that may be used. */
  push(event: CaptureEvent, share: number, finish?: () => void): void {
    const bytes = weigh(event);
    this.#waiting.push({ event, finish, bytes });
    this.#bytes += bytes;
    while (this.#waiting.length > PAGE_QUEUE_ENTRIES * share || this.#bytes > PAGE_QUEUE_BYTES * share) {
      const oldest = this.#waiting.shift();
      if (!oldest) break;
      this.#bytes -= oldest.bytes;
      this.#dropped++;
    }
  }

  /** Serializes events until `budget` milliseconds have passed. */
  drain(budget: number, wanted: (event: CaptureEvent) => boolean): Drained {
    const deadline = clock() + budget;
    const events: string[] = [];
    let taken = 0;
    for (const { event, finish } of this.#waiting) {
      if (taken > 0 && taken % 10 === 0 && clock() > deadline) break;
      taken++;
      if (!wanted(event)) continue;
      try {
        finish?.();
        events.push(write(event));
      } catch {
        this.#dropped++;
      }
    }
    for (const { bytes } of this.#waiting.splice(0, taken)) this.#bytes -= bytes;
    const dropped = this.#dropped;
    this.#dropped = 0;
    return { events, dropped, more: this.#waiting.length > 0 };
  }
}

/** Serializes an event. One that is too large for the server loses its largest extras. */
function write(event: CaptureEvent): string {
  const text = toJson(event);
  const room = ENTRY_BYTES - TAGS_BYTES;
  if (text.length * 3 <= room || byteLength(text) <= room) return text;
  const {
    _context: _c,
    metadata: _m,
    args: _a,
    ...rest
  } = event as Extract<CaptureEvent, { type: 'console' | 'error' }>;
  return toJson({ ...rest, _enrichments: ['trimmed: too large'] });
}

/** Roughly the memory that an event takes. Its exact size is known once it is text. */
function weigh(event: CaptureEvent): number {
  let bytes = 500;
  if ('responseBody' in event) bytes += (event.responseBody?.length ?? 0) + (event.requestBody?.length ?? 0);
  if ('message' in event) bytes += (event.message?.length ?? 0) + (event.stack?.length ?? 0);
  if ('args' in event && event.args) bytes += 4_000;
  if ('_context' in event && event._context) bytes += 20_000;
  if ('size' in event) bytes += event.size ?? 0;
  return bytes;
}
