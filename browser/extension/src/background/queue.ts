// Captured events that are not on the server yet. The queue is bounded in bytes, and every event is counted exactly
// once: captured = sent + buffered + dropped + rejected. It is kept in session storage, so that a worker that is
// stopped at any point continues where it was.

import { EXTENSION_QUEUE_BYTES, SEND_BYTES, SEND_ENTRIES } from 'gasoline-capture/limits.gen';
import { byteLength } from 'gasoline-capture/text';
import type { ExtensionCounts } from 'gasoline-capture/wire.gen';
import { readAll, write } from './storage';

export interface Chunk {
  /** Events as JSON texts. */
  events: string[];
  /** As UTF-8. */
  bytes: number;
}

/** Chunks that are in flight together, as one named batch. */
export interface Outgoing {
  id: string;
  chunks: number[];
}

type Accounting = Required<{ [K in keyof ExtensionCounts]: number }>;

const EMPTY: Accounting = { captured: 0, sent: 0, buffered: 0, dropped: 0, rejected: 0 };
/** How many documents' message numbers are remembered. */
const SENDERS = 200;
/** A repeat comes within seconds, so few messages can have overtaken it. */
const NUMBERS = 100;

function chunkOf(events: string[]): Chunk {
  return { events, bytes: events.reduce((sum, event) => sum + byteLength(event), 0) };
}

export class EventQueue {
  private readonly chunks = new Map<number, Chunk>();
  private next = 1;
  private bytes = 0;
  private outgoing: Outgoing | undefined;
  /** Documents and the numbers of their latest messages. */
  private senders: Array<[string, number[]]> = [];
  private share = 1;
  private capacity = EXTENSION_QUEUE_BYTES;
  accounting: Accounting = { ...EMPTY };

  static async restore(): Promise<EventQueue> {
    const queue = new EventQueue();
    const stored = await readAll();
    for (const [key, value] of Object.entries(stored)) {
      if (!key.startsWith('chunk:')) continue;
      const number = Number(key.slice('chunk:'.length));
      const chunk = value as Chunk;
      queue.chunks.set(number, chunk);
      queue.bytes += chunk.bytes;
      queue.next = Math.max(queue.next, number + 1);
    }
    // Numbers grow with time; storage lists them in any order.
    const sorted = [...queue.chunks].sort(([a], [b]) => a - b);
    queue.chunks.clear();
    for (const [number, chunk] of sorted) queue.chunks.set(number, chunk);
    queue.outgoing = stored.outgoing as Outgoing | undefined;
    queue.senders = (stored.senders as Array<[string, number[]]> | undefined) ?? [];
    queue.accounting = { ...EMPTY, ...(stored.accounting as Accounting | undefined) };
    queue.next = Math.max(queue.next, (stored.nextChunk as number | undefined) ?? 1);
    queue.recount();
    return queue;
  }

  get size(): number {
    return this.accounting.buffered;
  }

  /** How many events of a type are queued. */
  waiting(type: string): number {
    const start = `{"type":"${type}"`;
    let count = 0;
    for (const { events } of this.chunks.values()) for (const event of events) if (event.startsWith(start)) count++;
    return count;
  }

  get usedBytes(): number {
    return this.bytes;
  }

  /** Whether a delivery was accepted before: its answer was lost, so the page's script sent it again. */
  isRepeat(from: string, number: number): boolean {
    return this.numbersOf(from).includes(number);
  }

  /** Adds events. When this resolves, they outlive the worker. */
  async add(from: string, number: number, events: string[], droppedBefore: number): Promise<void> {
    const numbers = [...this.numbersOf(from), number].slice(-NUMBERS);
    const others = this.senders.filter(([name]) => name !== from);
    this.senders = [...others, [from, numbers] satisfies [string, number[]]].slice(-SENDERS);
    this.accounting.captured += events.length + droppedBefore;
    this.accounting.dropped += droppedBefore;
    const items: Record<string, unknown> = { senders: this.senders };
    if (events.length > 0) {
      const chunk = chunkOf(events);
      items[`chunk:${this.next}`] = chunk;
      this.chunks.set(this.next++, chunk);
      this.bytes += chunk.bytes;
    }
    const evicted = this.evict();
    this.recount();
    for (const key of evicted) delete items[key];
    try {
      await write({ ...items, accounting: this.accounting, nextChunk: this.next }, evicted);
    } catch {
      // Session storage is full after all. Half of the queue makes room; failing that, this chunk is kept in memory
      // only.
      await this.resize(this.share / 2);
      await write({ ...items, accounting: this.accounting, nextChunk: this.next }).catch(() => {});
      await this.resize(this.share * 2);
    }
  }

  /** The next batch: the one that was in flight when the worker stopped, or as many events as fit into one. */
  async take(): Promise<{ id: string; events: string[] } | undefined> {
    if (!this.outgoing) {
      const chunks: number[] = [];
      let entries = 0;
      let bytes = 0;
      for (const [number, chunk] of this.chunks) {
        if (chunks.length > 0 && (entries + chunk.events.length > SEND_ENTRIES || bytes + chunk.bytes > SEND_BYTES))
          break;
        chunks.push(number);
        entries += chunk.events.length;
        bytes += chunk.bytes;
      }
      if (chunks.length === 0) return undefined;
      this.outgoing = { id: crypto.randomUUID(), chunks };
      await write({ outgoing: this.outgoing });
    }
    const { id, chunks } = this.outgoing;
    return { id, events: chunks.flatMap((number) => this.chunks.get(number)?.events ?? []) };
  }

  /** Called when the server has the batch. */
  async sent(stored: number, rejected: number): Promise<void> {
    this.accounting.sent += stored;
    this.accounting.rejected += rejected;
    await this.finish();
  }

  /** The batch is too large, so its halves are sent as separate batches. Returns false when it cannot be halved. */
  async split(): Promise<boolean> {
    const { outgoing } = this;
    if (!outgoing) return false;
    const events = outgoing.chunks.flatMap((number) => this.chunks.get(number)?.events ?? []);
    if (events.length < 2) return false;
    const [first, ...others] = outgoing.chunks as [number, ...number[]];
    const half = Math.ceil(events.length / 2);
    const rest = [...this.chunks].filter(([number]) => !outgoing.chunks.includes(number));
    // The two halves replace the first chunk. Chunks are ordered, so the second half needs a number before the next
    // chunk.
    const following = rest.map(([number]) => number).filter((number) => number > first);
    const halves: Array<[number, Chunk]> = [
      [first, chunkOf(events.slice(0, half))],
      [(first + Math.min(first + 1, ...following)) / 2, chunkOf(events.slice(half))],
    ];
    this.chunks.clear();
    for (const [number, chunk] of [...halves, ...rest].sort(([a], [b]) => a - b)) this.chunks.set(number, chunk);
    this.outgoing = { id: crypto.randomUUID(), chunks: [first] };
    await write(
      { outgoing: this.outgoing, ...Object.fromEntries(halves.map(([number, chunk]) => [`chunk:${number}`, chunk])) },
      others.map((number) => `chunk:${number}`),
    );
    return true;
  }

  async clear(): Promise<number> {
    // A batch in flight cannot be recalled; the server's answer says how to count it.
    const busy = new Set(this.outgoing?.chunks);
    const keys: string[] = [];
    let cleared = 0;
    for (const [number, chunk] of this.chunks) {
      if (busy.has(number)) continue;
      cleared += chunk.events.length;
      this.bytes -= chunk.bytes;
      this.chunks.delete(number);
      keys.push(`chunk:${number}`);
    }
    this.accounting.dropped += cleared;
    this.recount();
    await write({ accounting: this.accounting }, keys);
    return cleared;
  }

  /** Adjusts the queue's capacity to the memory that is available. */
  async resize(share: number): Promise<void> {
    this.share = share;
    this.capacity = EXTENSION_QUEUE_BYTES * share;
    const evicted = this.evict();
    this.recount();
    if (evicted.length > 0) await write({ accounting: this.accounting }, evicted);
  }

  /** Removes matching events, such as bodies when memory is critical. */
  async discard(unwanted: (event: string) => boolean): Promise<void> {
    const changed: Record<string, unknown> = {};
    const busy = new Set(this.outgoing?.chunks);
    for (const [number, chunk] of this.chunks) {
      if (busy.has(number)) continue;
      const kept = chunk.events.filter((event) => !unwanted(event));
      if (kept.length === chunk.events.length) continue;
      this.accounting.dropped += chunk.events.length - kept.length;
      this.bytes -= chunk.bytes;
      Object.assign(chunk, chunkOf(kept));
      this.bytes += chunk.bytes;
      changed[`chunk:${number}`] = chunk;
    }
    this.recount();
    await write({ ...changed, accounting: this.accounting });
  }

  /** Not just the highest number: a repeated message comes after later ones. */
  private numbersOf(from: string): number[] {
    return this.senders.find(([name]) => name === from)?.[1] ?? [];
  }

  private async finish(): Promise<void> {
    const keys: string[] = [];
    for (const number of this.outgoing?.chunks ?? []) {
      this.bytes -= this.chunks.get(number)?.bytes ?? 0;
      this.chunks.delete(number);
      keys.push(`chunk:${number}`);
    }
    this.outgoing = undefined;
    this.recount();
    await write({ accounting: this.accounting }, [...keys, 'outgoing']);
  }

  /** Evicts the oldest events. The batch in flight stays, or its name would stand for something else. */
  private evict(): string[] {
    const gone: string[] = [];
    const busy = new Set(this.outgoing?.chunks);
    for (const [number, chunk] of this.chunks) {
      if (this.bytes <= this.capacity) break;
      if (busy.has(number)) continue;
      this.chunks.delete(number);
      this.bytes -= chunk.bytes;
      this.accounting.dropped += chunk.events.length;
      gone.push(`chunk:${number}`);
    }
    return gone;
  }

  private recount(): void {
    this.accounting.buffered = [...this.chunks.values()].reduce((sum, chunk) => sum + chunk.events.length, 0);
  }
}
