// Takes one test's events to the server, in order, and brings the source maps it then asks for.

import { randomUUID } from 'node:crypto';
import { SEND_BYTES, SEND_ENTRIES } from '../../capture/src/limits.gen';
import type { SyncReply } from '../../capture/src/wire.gen';
import { createMapBringer, type MapBringer } from '../../ci/src/source-maps';
import { type Client, Gone, Refused } from './client';
import { within } from './deadline';

/** Events wait this long for company. */
const GATHER_MILLIS = 50;
const TRIES = 3;
const PAUSE_MILLIS = 300;
/** Four workers and their browsers leave a small machine little time. */
const MAP_MILLIS = 5_000;
/** A server that is away must not fill the worker's memory. */
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

export class Carrier {
  private waiting: Waiting[] = [];
  private bytes = 0;
  private running: Promise<void> | undefined;
  private dropped = 0;
  /** What was lost has been told, and nothing has arrived since: to tell it again would be lost as well. */
  private told = false;
  private bringing: Promise<unknown> = Promise.resolve();
  private readonly maps: MapBringer;
  /** Nothing was given to it yet. */
  isUnused = true;

  constructor(
    private readonly client: Client,
    /** The last word on an event before it leaves: more may be known by now. */
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

  /** Everything is on the server; with `maps` also the source maps that its errors need. Or the time is over. */
  async drain(millis: number, maps = false): Promise<void> {
    const all = async () => {
      await this.running;
      if (maps) await this.bringing;
    };
    await within(millis, all());
  }

  private async run(): Promise<void> {
    await new Promise((done) => setTimeout(done, GATHER_MILLIS));
    while (this.waiting.length > 0) await this.send(this.take());
    this.running = undefined;
  }

  /** As many as fit into a batch and belong to the same test. */
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

  private async send(batch: Waiting[]): Promise<void> {
    const head = JSON.stringify({ batch_id: randomUUID(), timestamp: Date.now(), ...batch[0]?.tags });
    const body = `${head.slice(0, -1)},"events":[${batch.map(({ text }) => this.improve(text)).join(',')}]}`;
    for (let attempt = 1; ; attempt++) {
      try {
        const { source_maps_wanted: wanted } = await this.client.post<SyncReply>('/sync', body);
        if (wanted) {
          const pageUrl = batch.at(-1)?.pageUrl ?? '';
          this.bringing = Promise.all([this.bringing, this.maps.bring(wanted, pageUrl)]).catch(() => {});
        }
        this.told = false;
        break;
      } catch (error) {
        const gone = error instanceof Gone;
        if (gone || (error instanceof Refused && error.isFinal) || attempt === TRIES) {
          this.dropped += batch.length;
          // Told when the server is back.
          if (gone) return;
          break;
        }
        await new Promise((done) => setTimeout(done, PAUSE_MILLIS * attempt));
      }
    }
    if (this.dropped === 0 || this.told) return;
    this.told = true;
    this.lost(this.dropped);
    this.dropped = 0;
  }
}
