// One live connection (a WebSocket, an EventSource or a streamed response): its life cycle, its totals, and which of
// its messages are kept.

import type { CaptureEvent, Core } from './core';
import {
  BINARY_HEX_BELOW_BYTES,
  BINARY_HEX_BYTES,
  SLOW_IN_A_ROW,
  SLOW_MESSAGE_MICROS,
  WEBSOCKET_FIRST_MESSAGES,
  WEBSOCKET_MESSAGE_BYTES,
  WEBSOCKET_PREVIEW_CHARS,
  WEBSOCKET_RATE_WINDOW_SECONDS,
} from './limits.gen';
import { startOfBlob } from './native-streams';
import { after, clock, isA, nowMillis, setTimer } from './natives';
import { keepOneIn, Rate } from './sample';
import { Schema } from './schema';
import { byteLength, cut, cutBytes } from './text';
import type { ConnectionStats, DirectionStats } from './wire.gen';

export type Direction = 'incoming' | 'outgoing';
export type Payload = string | Blob | ArrayBufferLike | ArrayBufferView;
type SocketEvent = Extract<CaptureEvent, { type: 'websocket' }>;

const STATS_MILLIS = 1_000;
/** When a socket's messages take too long, at least one in this many is still kept. */
const MOST_PASSED_OVER = 64;
/** This many messages within one second are a flood, which is detected before that second is over. */
const FLOOD = 200;
/** Up to this many dropped messages wait for idle time, when their structure is checked. */
const UNSEEN = 200;

/**
 * The start of binary data, which is all that is shown. The rest is not kept: the page may reuse it, or transfer it to
 * a worker.
 */
interface BinaryStart {
  start: Uint8Array | undefined;
  size: number;
}

interface Totals {
  total: number;
  bytes: number;
  lastAt: number;
  last: string | BinaryStart | undefined;
  rate: Rate;
}

const totals = (): Totals => ({ total: 0, bytes: 0, lastAt: 0, last: undefined, rate: new Rate() });

export class Connection {
  readonly id: string;
  readonly #incoming = totals();
  readonly #outgoing = totals();
  readonly #schema = new Schema();
  #rate = 0;
  #keep = 1;
  #counter = 0;
  #unseen: Array<{ direction: Direction; text: string; ts: number }> = [];
  #statsDue = false;
  /** Messages of this second that took too long, and the sampling factor that results from them. */
  #slow = 0;
  #fewer = 1;

  readonly #core: Core;
  readonly #url: string;

  constructor(core: Core, url: string) {
    this.#core = core;
    this.#url = url;
    this.id = core.id();
  }

  lifecycle(event: 'connecting' | 'open' | 'close' | 'error' | 'stats', fields: Partial<SocketEvent> = {}): void {
    if (!this.#core.switches.webSockets) return;
    const entry: SocketEvent = { ...this.#event(event), url: this.#url, ...fields };
    const finish = () => {
      entry.stats = this.#stats();
    };
    // The statistics are computed after the messages before this event have been processed.
    this.#core.emit(entry, event === 'close' || event === 'stats' ? { finish } : {});
  }

  /** The hot path: counters and one decision. Everything else waits until the page is idle. */
  message(direction: Direction, data: Payload): void {
    if (!this.#core.switches.webSockets) return;
    const side = this.#side(direction);
    const ts = nowMillis();
    const began = clock();
    const second = Math.floor(began / 1_000);
    side.total++;
    side.bytes += sizeOf(data);
    side.lastAt = ts;
    side.last = typeof data === 'string' ? data : binaryStart(data);
    if (side.rate.add(second)) {
      this.#judge(second);
      this.#spare();
    }
    this.#scheduleStats();
    const count = ++this.#counter;
    const flooded = side.rate.running > FLOOD ? keepOneIn(side.rate.running) : 1;
    const keep = Math.max(this.#keep, flooded, this.#fewer);
    if (count <= WEBSOCKET_FIRST_MESSAGES || keep === 1 || count % keep === 0) {
      this.#keepMessage(direction, data, ts, keep > 1 && count > WEBSOCKET_FIRST_MESSAGES ? keep : 0, flooded);
    } else if (typeof data === 'string' && data.length <= WEBSOCKET_MESSAGE_BYTES && this.#unseen.length < UNSEEN) {
      this.#unseen.push({ direction, text: data, ts });
      if (this.#unseen.length === 1) this.#core.later(() => this.#lookAtUnseen());
    }
    if (clock() - began > SLOW_MESSAGE_MICROS / 1_000) this.#slow++;
  }

  /** Once a second: keeps half as many messages when they took too long, and twice as many when they did not. */
  #spare(): void {
    const isSlow = this.#slow >= SLOW_IN_A_ROW;
    this.#slow = 0;
    this.#fewer = isSlow ? Math.min(this.#fewer * 2, MOST_PASSED_OVER) : Math.max(this.#fewer / 2, 1);
    if (isSlow) this.#core.tooSlow('sockets');
  }

  #side(direction: Direction): Totals {
    return direction === 'incoming' ? this.#incoming : this.#outgoing;
  }

  #keepMessage(direction: Direction, data: Payload, ts: number, keep: number, flooded = 1, looked = false): void {
    const rate = flooded > 1 ? Math.max(this.#rate, this.#side(direction).rate.running) : this.#rate;
    const event: SocketEvent = {
      ...this.#event('message'),
      ts,
      url: this.#url,
      direction,
      ...(keep > 1 && {
        sampled: { rate: `${rate.toFixed(1)}/s`, logged: `1/${keep}`, window: `${WEBSOCKET_RATE_WINDOW_SECONDS}s` },
      }),
    };
    event.size = sizeOf(data);
    if (typeof data === 'string') {
      this.#core.emit(event, {
        finish: () => {
          if (!looked) this.#schema.isNew(data);
          const { text, truncated } = cutBytes(data, WEBSOCKET_MESSAGE_BYTES);
          event.data = text;
          if (truncated) event.truncated = true;
        },
      });
    } else if (isA(data, Blob)) {
      after(
        startOfBlob(data, BINARY_HEX_BYTES),
        (start) => this.#core.emit({ ...event, data: binaryPreview(new Uint8Array(start), data.size) }),
        () => this.#core.emit({ ...event, data: `[Binary: ${data.size}B]` }),
      );
    } else {
      // The page may reuse its buffer, so the few bytes that are shown are copied now.
      event.data = binaryPreview(startOf(data), data.byteLength);
      this.#core.emit(event);
    }
  }

  #lookAtUnseen(): void {
    for (const { direction, text, ts } of this.#unseen.splice(0)) {
      if (this.#schema.isNew(text)) this.#keepMessage(direction, text, ts, this.#keep, 1, true);
    }
  }

  /** Recalculated once a second, from both directions together. */
  #judge(second: number): void {
    this.#rate = this.#incoming.rate.perSecond(second) + this.#outgoing.rate.perSecond(second);
    this.#keep = keepOneIn(this.#rate);
  }

  #scheduleStats(): void {
    if (this.#statsDue) return;
    this.#statsDue = true;
    setTimer(() => {
      this.#statsDue = false;
      if (this.#core.alive) this.lifecycle('stats');
    }, STATS_MILLIS);
  }

  #stats(): ConnectionStats {
    const second = Math.floor(clock() / 1_000);
    this.#judge(second);
    const schema = this.#schema.report(this.#incoming.total + this.#outgoing.total);
    const rate = this.#rate.toFixed(1);
    return {
      incoming: directionStats(this.#incoming, second),
      outgoing: directionStats(this.#outgoing, second),
      ...(schema && { schema }),
      sampling:
        this.#keep > 1
          ? { active: true, rate: `1/${this.#keep}`, reason: `${rate} msg/s exceeds 10 msg/s threshold` }
          : { active: false, reason: `${rate} msg/s below 10 msg/s threshold` },
    };
  }

  #event(event: string): SocketEvent {
    return { type: 'websocket', event, connection_id: this.id, ts: nowMillis() };
  }
}

function directionStats({ total, bytes, lastAt, last, rate }: Totals, second: number): DirectionStats {
  return {
    total,
    bytes,
    perSecond: Math.round(rate.perSecond(second) * 10) / 10,
    ...(last !== undefined && { lastAt, lastPreview: preview(last) }),
  };
}

function preview(last: string | BinaryStart): string {
  if (typeof last === 'string') return cut(last, WEBSOCKET_PREVIEW_CHARS);
  return last.start ? binaryPreview(last.start, last.size) : `[Binary: ${last.size}B]`;
}

function binaryStart(data: Exclude<Payload, string>): BinaryStart {
  if (isA(data, Blob)) return { start: undefined, size: data.size };
  return { start: startOf(data).slice(), size: data.byteLength };
}

/** Exact up to 64 KB. Counting the bytes of a longer text would cost more than the exact size is worth. */
function sizeOf(data: Payload): number {
  if (typeof data === 'string') return data.length > 65_536 ? data.length : byteLength(data);
  return isA(data, Blob) ? data.size : data.byteLength;
}

function startOf(data: ArrayBufferLike | ArrayBufferView): Uint8Array {
  const [buffer, offset] = ArrayBuffer.isView(data) ? [data.buffer, data.byteOffset] : [data, 0];
  return new Uint8Array(buffer, offset, Math.min(data.byteLength, BINARY_HEX_BYTES));
}

export function binaryPreview(start: Uint8Array, size: number): string {
  const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (size >= BINARY_HEX_BELOW_BYTES) return `[Binary: ${size}B, magic: ${hex(start.subarray(0, 4))}]`;
  const shown = start.subarray(0, BINARY_HEX_BYTES);
  return `[Binary: ${size}B] ${hex(shown)}${size > BINARY_HEX_BYTES ? '...' : ''}`;
}
