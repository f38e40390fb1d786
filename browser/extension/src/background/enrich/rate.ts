// A page that throws all the time gets context for some of its errors.

import { ENRICH_PER_MINUTE, ENRICH_PER_SECOND } from '../../../../capture/src/limits.gen';

export class Rate {
  private readonly times = new Map<number, number[]>();
  /** Errors that had to do without. */
  skipped = 0;

  constructor(private readonly now: () => number = Date.now) {}

  allows(tabId: number): boolean {
    const now = this.now();
    const recent = (this.times.get(tabId) ?? []).filter((time) => now - time < 60_000);
    const lastSecond = recent.filter((time) => now - time < 1_000).length;
    if (recent.length >= ENRICH_PER_MINUTE || lastSecond >= ENRICH_PER_SECOND) {
      this.skipped++;
      return false;
    }
    this.times.set(tabId, [...recent, now]);
    return true;
  }

  forget(tabId: number): void {
    this.times.delete(tabId);
  }
}
