// Limits how many errors of a page get context when it throws all the time.

import { ENRICH_PER_MINUTE, ENRICH_PER_SECOND } from '../limits.gen';

export class Rate {
  private readonly times = new Map<number, Array<{ at: number; page: string }>>();
  /** Errors that got no context. */
  skipped = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /**
   * `page`: the document's id. The limit per second counts errors of the same document only, so a newly loaded page is
   * not blamed for the one before it.
   */
  allows(tabId: number, page: string): boolean {
    const now = this.now();
    const recent = (this.times.get(tabId) ?? []).filter(({ at }) => now - at < 60_000);
    const lastSecond = recent.filter((one) => one.page === page && now - one.at < 1_000).length;
    if (recent.length >= ENRICH_PER_MINUTE || lastSecond >= ENRICH_PER_SECOND) {
      this.skipped++;
      return false;
    }
    this.times.set(tabId, [...recent, { at: now, page }]);
    return true;
  }

  forget(tabId: number): void {
    this.times.delete(tabId);
  }
}
