// Sends what the queue holds: about once a second, at once for errors, never two batches at a time.

import { BREAKER_SECONDS, SEND_MILLIS } from '../../../capture/src/limits.gen';
import { Breaker } from './breaker';
import type { DebugLog } from './debug-log';
import type { EventQueue } from './queue';
import type { Server } from './server';

export class Sender {
  readonly breaker = new Breaker();
  /** Of all attempts since the worker started. */
  readonly attempts = { made: 0, succeeded: 0 };
  private timer: ReturnType<typeof setTimeout> | undefined;
  private dueAt = Number.POSITIVE_INFINITY;
  private sending = false;
  private lastSent = 0;
  private notBefore = 0;

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
    const rest = Math.min(this.lastSent + SEND_MILLIS - Date.now(), SEND_MILLIS);
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
    this.lastSent = Date.now();
    this.attempts.made++;
    const result = await this.server().send(batch.id, batch.events);
    switch (result.kind) {
      case 'stored':
        await this.queue.sent(result.stored, result.rejected);
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
      case 'failed': {
        const pause = this.breaker.failed();
        this.notBefore = Date.now() + pause;
        this.log.add('warn', 'sending failed', { problem: result.problem, pause_ms: pause });
        return pause;
      }
    }
    this.attempts.succeeded++;
    this.breaker.succeeded();
    this.notBefore = 0;
    return this.queue.size > 0 ? 0 : undefined;
  }
}
