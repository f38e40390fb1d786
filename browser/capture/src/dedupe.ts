// Merges repetitions of the same error or warning into one entry with a count.

import type { CaptureEvent } from './core';
import { DEDUPE_MILLIS } from './limits.gen';
import { clock, setTimer } from './natives';

type LogEvent = Extract<CaptureEvent, { type: 'console' | 'error' }>;

/** Fills in an event's last details. */
type Finish = (() => void) | undefined;

/** How many different errors are tracked at a time. */
const KNOWN = 200;

export class Dedupe {
  /** The oldest first. */
  readonly #known = new Map<string, { at: number; repeats: number; latest: LogEvent; finish: Finish }>();
  readonly #again: (event: CaptureEvent, finish: Finish) => void;
  #timer = false;

  constructor(again: (event: CaptureEvent, finish: Finish) => void) {
    this.#again = again;
  }

  /** Whether to send it now. A repeat is held back; the number of repeats follows as one entry. */
  isFirst(event: CaptureEvent, finish?: () => void): boolean {
    if (event.type !== 'console' && event.type !== 'error') return true;
    if (event.level !== 'error' && event.level !== 'warn') return true;
    const key = `${event.type} ${event.level} ${event.message}\n${event.stack ?? ''}`;
    const seen = this.#known.get(key);
    if (seen) {
      seen.repeats++;
      seen.latest = event;
      seen.finish = finish;
      return false;
    }
    if (this.#known.size < KNOWN) {
      this.#known.set(key, { at: clock(), repeats: 0, latest: event, finish });
      this.#wait(DEDUPE_MILLIS);
    }
    return true;
  }

  /** Sends the repeats that are held back. */
  flush(): void {
    for (const key of [...this.#known.keys()]) this.#settle(key);
  }

  /** One timer for all: a page that throws a lot should not pay for one timer each. */
  #wait(millis: number): void {
    if (this.#timer) return;
    this.#timer = true;
    setTimer(() => {
      this.#timer = false;
      const now = clock();
      for (const [key, { at }] of [...this.#known]) {
        if (now - at < DEDUPE_MILLIS) return this.#wait(DEDUPE_MILLIS - (now - at));
        this.#settle(key);
      }
    }, millis);
  }

  #settle(key: string): void {
    const seen = this.#known.get(key);
    this.#known.delete(key);
    if (!seen || seen.repeats === 0) return;
    const { latest, repeats, finish } = seen;
    if (repeats > 1) latest.count = repeats;
    this.#again(latest, finish);
  }
}
