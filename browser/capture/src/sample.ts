// How many messages of a fast connection are kept.

import { WEBSOCKET_RATE_WINDOW_SECONDS as WINDOW } from './limits.gen';

/** At a rate of this many messages a second, one message in the returned number is kept. */
export function keepOneIn(rate: number): number {
  if (rate < 10) return 1;
  if (rate <= 50) return Math.ceil(rate / 10);
  if (rate <= 200) return Math.ceil(rate / 5);
  return Math.ceil(rate / 2);
}

/** Messages a second, averaged over the last whole seconds. Each new second costs a few additions. */
export class Rate {
  readonly #buckets = new Array<number>(WINDOW).fill(0);
  #current = 0;
  #second = -1;
  #age = 0;

  /** Counts one message. Returns whether a new second began. */
  add(second: number): boolean {
    const moved = this.#move(second);
    this.#current++;
    return moved;
  }

  perSecond(second: number): number {
    this.#move(second);
    // A new connection has no five seconds of history yet.
    const seconds = Math.min(WINDOW, Math.max(1, this.#age));
    return this.#buckets.reduce((sum, count) => sum + count, 0) / seconds;
  }

  /** Messages of the current second so far: the first sign of a sudden flood. */
  get running(): number {
    return this.#current;
  }

  #move(second: number): boolean {
    if (this.#second < 0) this.#second = second;
    const passed = second - this.#second;
    if (passed <= 0) return false;
    for (let step = 0; step < Math.min(passed, WINDOW); step++) {
      this.#buckets.shift();
      this.#buckets.push(this.#current);
      this.#current = 0;
    }
    this.#second = second;
    this.#age += passed;
    return true;
  }
}
