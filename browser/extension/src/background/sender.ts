// Sends the queue's batches: about once a second, at once for errors, and never two at a time.

import { Breaker } from 'gasoline-capture/breaker';
import { createDelivery, type Decision } from 'gasoline-capture/delivery';
import { BREAKER_SECONDS, SEND_MILLIS, SLOW_POST_MILLIS, SLOWEST_SEND_MILLIS } from 'gasoline-capture/limits.gen';
import type { DebugLog } from './debug-log';
import type { EventQueue } from './queue';
import type { Server } from './server';

export class Sender {
  readonly breaker = new Breaker();
  /** Counts all attempts since the worker started. */
  readonly attempts = { made: 0, succeeded: 0 };
  /** How often a batch took too long, and the interval between batches that results. */
  readonly posts = { slow: 0, intervalMillis: SEND_MILLIS };
  private timer: ReturnType<typeof setTimeout> | undefined;
  private dueAt = Number.POSITIVE_INFINITY;
  private sending = false;
  private lastSent = 0;
  private notBefore = 0;
  private readonly delivery = createDelivery(this.breaker);
  /** An empty batch is next: it shows whether the server works. */
  private probing = false;

  constructor(
    private readonly queue: EventQueue,
    private readonly server: () => Server,
    private readonly log: DebugLog,
    private readonly changed: () => void,
    /** Called when the server has these events and asks for these source maps. */
    private readonly delivered: (events: string[], mapsWanted: string[]) => void = () => {},
  ) {}

  /** Called when events are queued. The first event after a quiet second is sent at once; later ones share a batch. */
  wake(urgent: boolean): void {
    // If the clock was set back, do not wait until it shows the old time again.
    const { intervalMillis } = this.posts;
    const rest = Math.min(this.lastSent + intervalMillis - Date.now(), intervalMillis);
    this.schedule(Math.max(urgent ? 0 : rest, Math.min(this.notBefore - Date.now(), BREAKER_SECONDS * 1_000), 0));
  }

  /** The server is known to be running: ends the back-off. */
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

  /** Returns when to continue, or `undefined` when nothing is left. */
  private async sendOne(): Promise<number | undefined> {
    const batch = await this.queue.take();
    if (!batch) return undefined;
    return this.probing ? this.probe(batch.events) : this.attempt(batch);
  }

  private async probe(events: string[]): Promise<number | undefined> {
    const { kind } = await this.server().send(crypto.randomUUID(), []);
    const decision = this.delivery.probed(kind === 'stored', events.length);
    if (decision.step === 'drop') {
      this.log.add('error', 'the server fails on an entry, which was dropped', { begins: events[0]?.slice(0, 40) });
    }
    return this.carryOut(decision, events.length, 'the server did not accept an empty batch');
  }

  private async carryOut({ step, pause }: Decision, entries: number, problem?: string): Promise<number | undefined> {
    this.probing = step === 'probe';
    switch (step) {
      case 'again':
      case 'probe':
        this.notBefore = Date.now() + pause;
        if (problem !== undefined) this.log.add('warn', 'sending failed', { problem, pause_ms: pause });
        return pause;
      case 'split':
        await this.queue.split();
        break;
      case 'drop':
        await this.queue.sent(0, entries);
    }
    this.notBefore = 0;
    this.delivery.isSearching(this.queue.size);
    return this.queue.size > 0 ? 0 : undefined;
  }

  /** A server that accepts batches slowly gets fewer of them, until it is fast again. */
  private judge(millis: number): void {
    const isSlow = millis > SLOW_POST_MILLIS;
    const { slow, intervalMillis } = this.posts;
    this.posts.slow = isSlow ? slow + 1 : slow;
    this.posts.intervalMillis = isSlow
      ? Math.min(intervalMillis * 2, SLOWEST_SEND_MILLIS)
      : Math.max(intervalMillis / 2, SEND_MILLIS);
  }

  private async attempt({ id, events }: { id: string; events: string[] }): Promise<number | undefined> {
    this.lastSent = Date.now();
    this.attempts.made++;
    const began = performance.now();
    const result = await this.server().send(id, events);
    this.judge(performance.now() - began);
    const decision = this.delivery.answered(result.kind, events.length, 'millis' in result ? result.millis : 0);
    if (decision.step !== 'again' && decision.step !== 'probe') this.attempts.succeeded++;
    switch (result.kind) {
      case 'stored': {
        const { stored, rejected, reasons, mapsWanted } = result;
        await this.queue.sent(stored, rejected);
        if (rejected > 0) this.log.add('warn', 'the server refused entries', { rejected, reasons });
        this.delivered(events, mapsWanted);
        break;
      }
      case 'refused':
        this.log.add('error', 'the server refused a batch', { problem: result.problem, events: events.length });
    }
    return this.carryOut(decision, events.length, 'problem' in result ? result.problem : undefined);
  }
}
