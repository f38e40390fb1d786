// Keeps the extension small: above 20 MB it may queue less, above 50 MB it captures no bodies.

import { EXTENSION_HARD_MB, EXTENSION_SOFT_MB } from 'gasoline-capture/limits.gen';
import type { MemoryState } from '../shared/messages';

const MB = 1_048_576;
/** How many pages' reports are remembered. */
const PAGES = 500;
/** A page with queued events sends some within seconds. */
const SILENCE_MILLIS = 60_000;

/** A worker cannot measure its own memory, so the guard adds up what is queued here and in the pages. */
export class MemoryGuard {
  private readonly pages = new Map<string, { held: number; at: number }>();

  constructor(
    private readonly queueBytes: () => number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Records how many bytes a page still has queued. */
  note(page: string, held: number): void {
    this.pages.delete(page);
    if (held > 0) this.pages.set(page, { held, at: this.now() });
    const oldest = this.pages.keys().next();
    if (this.pages.size > PAGES && !oldest.done) this.pages.delete(oldest.value);
  }

  get megabytes(): number {
    let held = 0;
    // A crashed page sends no more reports.
    for (const page of this.pages.values()) if (this.now() - page.at < SILENCE_MILLIS) held += page.held;
    // The queue exists twice: here and in session storage.
    return (this.queueBytes() * 2 + held) / MB;
  }

  get state(): MemoryState {
    if (this.megabytes > EXTENSION_HARD_MB) return 'hard';
    return this.megabytes > EXTENSION_SOFT_MB ? 'soft' : 'normal';
  }
}
