// The extension must stay small: above 20 MB less may wait in it, above 50 MB no bodies are captured.

import { EXTENSION_HARD_MB, EXTENSION_SOFT_MB } from 'gasoline-capture/limits.gen';
import type { MemoryState } from '../shared/messages';

const MB = 1_048_576;
/** Pages whose report is remembered. */
const PAGES = 500;
/** A page with events waiting sends some within seconds. */
const SILENCE_MILLIS = 60_000;

/** A worker can't ask for its own size, so what waits is added up, here and in the pages. */
export class MemoryGuard {
  private readonly pages = new Map<string, { held: number; at: number }>();

  constructor(
    private readonly queueBytes: () => number,
    private readonly now: () => number = Date.now,
  ) {}

  /** What a page still holds back. */
  note(page: string, held: number): void {
    this.pages.delete(page);
    if (held > 0) this.pages.set(page, { held, at: this.now() });
    const oldest = this.pages.keys().next();
    if (this.pages.size > PAGES && !oldest.done) this.pages.delete(oldest.value);
  }

  get megabytes(): number {
    let held = 0;
    // A page that crashed says nothing more.
    for (const page of this.pages.values()) if (this.now() - page.at < SILENCE_MILLIS) held += page.held;
    // The queue is there twice: as it is here, and as session storage keeps it.
    return (this.queueBytes() * 2 + held) / MB;
  }

  get state(): MemoryState {
    if (this.megabytes > EXTENSION_HARD_MB) return 'hard';
    return this.megabytes > EXTENSION_SOFT_MB ? 'soft' : 'normal';
  }
}
