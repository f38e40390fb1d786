// Sends what the queue holds: about once a second, at once for errors, never two batches at a time.

import { BREAKER_SECONDS, SEND_MILLIS, SLOW_POST_MILLIS, SLOWEST_SEND_MILLIS } from '../../../capture/src/limits.gen';
import { ATTEMPTS, Breaker } from './breaker';
import type { DebugLog } from './debug-log';
import type { EventQueue } from './queue';
import type { Server } from './server';

export class Sender {
  readonly breaker = new Breaker();
  /** Of all attempts since the worker started. */
  readonly attempts = { made: 0, succeeded: 0 };
  /** How often a batch took too long, and how long batches wait for company since. */
  readonly posts = { slow: 0, intervalMillis: SEND_MILLIS };
  private timer: ReturnType<typeof setTimeout> | undefined;
  private dueAt = Number.POSITIVE_INFINITY;
  private sending = false;
  private lastSent = 0;
  private notBefore = 0;
  /** How often in a row the server broke on the batch that is on its way. */
  private broken = 0;
  /** Some entry makes the server break, and it is being looked for. */
  private searching = false;

  constructor(
    private readonly queue: EventQueue,
    private readonly server: () => Server,
    private readonly log: DebugLog,
    private readonly changed: () => void,
    /** The server has these events, and wants these source maps. */
    private readonly delivered: (events: string[], mapsWanted: string[]) => void = () => {},
  ) {}

  /** Something is waiting. The first event after a quiet second goes at once, the following share a batch. */
  wake(urgent: boolean): void {
    // A clock that was set back must not make us wait for the time it shows to come again.
    const { intervalMillis } = this.posts;
    const rest = Math.min(this.lastSent + intervalMillis - Date.now(), intervalMillis);
    this.schedule(Math.max(urgent ? 0 : rest, Math.min(this.notBefore - Date.now(), BREAKER_SECONDS * 1_000), 0));
  }

  /** The server was seen alive: rests are over. */
  serverIsBack(): void {
    this.breaker.succeeded();
    this.notBefore = 0;
    if (this.queue.size > 0) this.wake(true);
  }

  private schedule(delay: number): void {
    const at = Date.now() + delay;
    if (this.sending || at >= this.dueAt) return;
    clearTimeout(this.timer);
    this.dueAt = at;
    this.timer = setTimeout(() => void this.run(), delay);
  }

  private async run(): Promise<void> {
    this.dueAt = Number.POSITIVE_INFINITY;
    if (this.sending) return;
    this.sending = true;
    let again: number | undefined;
    try {
      again = await this.sendOne();
    } catch (error) {
      this.log.add('error', 'sending broke', { error: String(error) });
      again = 2_000;
    }
    this.sending = false;
    this.changed();
    if (again !== undefined) this.schedule(again);
  }

  /** Returns when to go on; `undefined` when there is nothing left. */
  private async sendOne(): Promise<number | undefined> {
    const batch = await this.queue.take();
    if (!batch) return undefined;
    if (this.broken < ATTEMPTS) return this.attempt(batch);
    this.broken = 0;
    // If the server takes an empty batch it is well, and something in this one is not.
    const { kind } = await this.server().send(crypto.randomUUID(), []);
    if (kind !== 'stored') return this.pause('the server is in trouble');
    await this.setApart(batch.events);
    return this.queue.size > 0 ? 0 : undefined;
  }

  /** Sends the batch in halves, so that the rest goes on. The one entry that is left in the end is given up. */
  private async setApart(events: string[]): Promise<void> {
    this.breaker.succeeded();
    this.notBefore = 0;
    this.searching = await this.queue.split();
    if (this.searching) return;
    this.log.add('error', 'the server fails on an entry, which is given up', { begins: events[0]?.slice(0, 40) });
    await this.queue.sent(0, events.length);
  }

  /** A server that is slow to take batches gets fewer of them, until it is quick again. */
  private judge(millis: number): void {
    const isSlow = millis > SLOW_POST_MILLIS;
    const { slow, intervalMillis } = this.posts;
    this.posts.slow = isSlow ? slow + 1 : slow;
    this.posts.intervalMillis = isSlow
      ? Math.min(intervalMillis * 2, SLOWEST_SEND_MILLIS)
      : Math.max(intervalMillis / 2, SEND_MILLIS);
  }

  private pause(problem: string): number {
    const pause = this.breaker.failed();
    this.notBefore = Date.now() + pause;
    this.log.add('warn', 'sending failed', { problem, pause_ms: pause });
    return pause;
  }

  private async attempt(batch: { id: string; events: string[] }): Promise<number | undefined> {
    this.lastSent = Date.now();
    this.attempts.made++;
    const began = performance.now();
    const result = await this.server().send(batch.id, batch.events);
    this.judge(performance.now() - began);
    switch (result.kind) {
      case 'stored':
        await this.queue.sent(result.stored, result.rejected);
        if (result.rejected > 0) {
          const { rejected, reasons } = result;
          this.log.add('warn', 'the server refused entries', { rejected, reasons });
        }
        this.delivered(batch.events, result.mapsWanted);
        break;
      case 'refused':
        this.log.add('error', 'the server refused a batch', { problem: result.problem, events: batch.events.length });
        await this.queue.sent(0, batch.events.length);
        break;
      case 'too-large':
        if (!(await this.queue.split())) await this.queue.sent(0, batch.events.length);
        break;
      case 'wait':
        this.notBefore = Date.now() + result.millis;
        return result.millis;
      case 'broken':
        // While an entry is looked for, halves have one attempt each; the entry itself has all of them again.
        this.broken = this.searching && batch.events.length > 1 ? ATTEMPTS : this.broken + 1;
        return this.pause(result.problem);
      case 'failed':
        return this.pause(result.problem);
    }
    this.attempts.succeeded++;
    this.breaker.succeeded();
    this.notBefore = 0;
    this.broken = 0;
    this.searching &&= this.queue.size > 0;
    return this.queue.size > 0 ? 0 : undefined;
  }
}
