// The circuit breaker for senders that never give up: three quick retries, then a pause of half a minute after five
// failures in a row.

import type { BackOff } from './delivery';
import { BREAKER_FAILURES, BREAKER_SECONDS } from './limits.gen';

const PAUSES = [100, 500, 2_000];

export class Breaker implements BackOff {
  private failures = 0;
  private openUntil = 0;

  constructor(private readonly now: () => number = Date.now) {}

  get isFailing(): boolean {
    return this.failures > 0 || this.openUntil > 0;
  }

  get isOpen(): boolean {
    return this.now() < this.openUntil;
  }

  get state(): 'closed' | 'open' | 'half-open' {
    if (this.isOpen) return 'open';
    return this.openUntil > 0 ? 'half-open' : 'closed';
  }

  /** Returns how long to wait before the next attempt. */
  failed(): number {
    this.failures++;
    if (this.failures >= BREAKER_FAILURES || this.openUntil > 0) {
      this.openUntil = this.now() + BREAKER_SECONDS * 1_000;
      this.failures = 0;
      return BREAKER_SECONDS * 1_000;
    }
    return PAUSES[Math.min(this.failures, PAUSES.length) - 1] ?? 100;
  }

  succeeded(): void {
    this.failures = 0;
    this.openUntil = 0;
  }
}
