// Sends one test's events to the server, in order, and uploads the source maps that the server then asks for.

import { randomUUID } from 'node:crypto';
import { createDelivery, limitedBackOff, type Outcome, outcomeOf } from 'gasoline-capture/delivery';
import { SEND_BYTES, SEND_ENTRIES } from 'gasoline-capture/limits.gen';
import { createMapBringer, type MapBringer } from 'gasoline-capture/source-maps';
import type { SyncReply } from 'gasoline-capture/wire.gen';
import { type Client, Gone, Refused } from './client';
import { within } from './deadline';

/** Events wait this long to be sent together. */
const GATHER_MILLIS = 50;
/** Pauses after the first and the second failure in a row; after the third, a batch is given up. */
const PAUSES = [300, 600];
/** Four workers and their browsers leave a small machine little time. */
const MAP_MILLIS = 5_000;
/** Bounds the worker's memory while the server is unreachable. */
const WAITING_BYTES = 16 * 1_048_576;

export interface Tags {
  test_id: string;
  worker: string;
}

interface Waiting {
  text: string;
  tags: Tags;
  pageUrl: string;
}

interface Batch {
  entries: Waiting[];
  body: string;
}

export class Carrier {
  private readonly backOff = limitedBackOff(PAUSES);
  private readonly delivery = createDelivery(this.backOff);
  private waiting: Waiting[] = [];
  private bytes = 0;
  private running: Promise<void> | undefined;
  private dropped = 0;
  /** The loss has been reported, and no event has arrived since. Reporting it again would fail in the same way. */
  private isLossReported = false;
  private uploading: Promise<unknown> = Promise.resolve();
  private readonly maps: MapBringer;
  /** No events have been added yet. */
  isUnused = true;

  constructor(
    private readonly client: Client,
    /** Completes an event right before it is sent: more may be known by then. */
    private readonly improve: (text: string) => string,
    private readonly lost: (dropped: number) => void,
  ) {
    const post = (upload: object) => client.post('/source-maps', upload).catch(() => {});
    this.maps = createMapBringer(fetch, post, MAP_MILLIS);
  }

  add(text: string, tags: Tags, pageUrl: string): void {
    this.isUnused = false;
    if (this.bytes + text.length > WAITING_BYTES) {
      this.dropped++;
      return;
    }
    this.waiting.push({ text, tags, pageUrl });
    this.bytes += text.length;
    this.running ??= this.run();
  }

  /**
   * Resolves when everything is on the server (with `maps`, also the source maps of its errors), or when the time is
   * up.
   */
  async drain(millis: number, maps = false): Promise<void> {
    const all = async () => {
      await this.running;
      if (maps) await this.uploading;
    };
    await within(millis, all());
  }

  private async run(): Promise<void> {
    await pauseFor(GATHER_MILLIS);
    while (this.waiting.length > 0) await this.deliver(this.take());
    this.running = undefined;
  }

  /** As many events of one test as fit into a batch. */
  private take(): Waiting[] {
    const [first] = this.waiting;
    let bytes = 0;
    let count = 0;
    for (const { text, tags } of this.waiting) {
      bytes += text.length;
      if (count === SEND_ENTRIES || (count > 0 && bytes > SEND_BYTES) || tags !== first?.tags) break;
      count++;
    }
    const batch = this.waiting.splice(0, count);
    for (const { text } of batch) this.bytes -= text.length;
    return batch;
  }

  /** Sends a batch. If an entry makes the server fail, sends the parts of the batch instead. */
  private async deliver(entries: Waiting[]): Promise<void> {
    const parts = [this.batchOf(entries)];
    let isGone = false;
    for (let batch = parts[0]; batch; batch = parts[0]) {
      const { length } = batch.entries;
      const outcome = await this.post(batch);
      let decision = this.delivery.answered(outcome === 'gone' ? 'hopeless' : outcome, length);
      if (decision.step === 'probe') {
        await pauseFor(decision.pause);
        const answer = await this.post(this.batchOf([], batch.entries[0]?.tags));
        decision = this.delivery.probed(answer === 'stored', length);
      }
      if (decision.step === 'again') {
        await pauseFor(decision.pause);
        continue;
      }
      parts.shift();
      this.delivery.isSearching(parts.length);
      if (decision.step === 'split') {
        const half = Math.ceil(length / 2);
        parts.unshift(this.batchOf(batch.entries.slice(0, half)), this.batchOf(batch.entries.slice(half)));
      } else if (decision.step !== 'done') this.dropped += length;
      if (decision.step !== 'end') continue;
      // The next batch has all attempts again.
      this.backOff.succeeded();
      for (const { entries } of parts.splice(0)) this.dropped += entries.length;
      isGone = outcome === 'gone';
    }
    // The loss is reported once the server is back.
    if (this.dropped === 0 || this.isLossReported || isGone) return;
    this.isLossReported = true;
    this.lost(this.dropped);
    this.dropped = 0;
  }

  /** Its name and text stay the same when it is sent again. */
  private batchOf(entries: Waiting[], tags = entries[0]?.tags): Batch {
    const head = JSON.stringify({ batch_id: randomUUID(), timestamp: Date.now(), ...tags });
    const body = `${head.slice(0, -1)},"events":[${entries.map(({ text }) => this.improve(text)).join(',')}]}`;
    return { entries, body };
  }

  private async post({ entries, body }: Batch): Promise<Outcome | 'gone'> {
    try {
      const { source_maps_wanted: wanted } = await this.client.post<SyncReply>('/sync', body);
      if (wanted) {
        const pageUrl = entries.at(-1)?.pageUrl ?? '';
        this.uploading = Promise.all([this.uploading, this.maps.bring(wanted, pageUrl)]).catch(() => {});
      }
      this.isLossReported = false;
      return 'stored';
    } catch (error) {
      if (error instanceof Gone) return 'gone';
      const outcome = error instanceof Refused ? outcomeOf(error.status) : 'failed';
      // A test does not wait for ever.
      return outcome === 'wait' ? 'failed' : outcome;
    }
  }
}

function pauseFor(millis: number): Promise<void> {
  return new Promise((done) => setTimeout(done, millis));
}
