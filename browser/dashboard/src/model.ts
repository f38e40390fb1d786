// The page's data, kept in sync with the server.

import { DASHBOARD_MOMENTS } from 'gasoline-capture/limits.gen';
import type {
  CallBrief,
  CodeUpdate,
  ErrorBrief,
  News,
  PageHistory,
  Reach,
  Row,
  Security,
  Sockets,
  Status,
} from './messages.gen';

export type Line = 'connecting' | 'live' | 'lost';

/** Seconds of socket rates that are drawn. */
export const RATE_SECONDS = 60;

export interface Rates {
  incoming: number[];
  outgoing: number[];
  totals: { incoming: number; outgoing: number };
}

export class Model {
  mark = '';
  line: Line = 'connecting';
  /** In the order in which they happened. */
  rows: readonly Row[] = [];
  updates: CodeUpdate[] = [];
  errors: ErrorBrief[] = [];
  errorTotal = 0;
  performance: PageHistory[] = [];
  sockets: Sockets = { open: [], closed: [] };
  rates = new Map<string, Rates>();
  security: Security | undefined;
  status: Status | undefined;
  calls: CallBrief[] = [];
  /** How far the server's clock is ahead of ours. */
  private ahead = 0;
  private reach: Reach = { l: 0, n: 0, w: 0, a: 0 };
  private listeners = new Set<() => void>();

  /** By the server's clock. */
  now(): number {
    return Date.now() + this.ahead;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  setLine(line: Line): void {
    if (this.line === line) return;
    this.line = line;
    this.tell();
  }

  take(news: News): void {
    this.mark = news.mark;
    this.ahead = news.now - Date.now();
    if (news.reach) this.reach = news.reach;
    if (news.reset || news.rows || news.reach) {
      this.rows = merge(news.reset ? [] : this.rows, news.rows ?? [], this.reach);
    }
    if (news.updates) this.updates = news.updates;
    if (news.errors) {
      this.errors = news.errors.errors;
      this.errorTotal = news.errors.total;
    }
    if (news.performance) this.performance = news.performance;
    if (news.security) this.security = news.security;
    if (news.status) this.status = news.status;
    if (news.calls) {
      const { from, list, whole } = news.calls;
      this.calls = [...(whole ? [] : this.calls), ...list].filter(({ number }) => number >= from);
    }
    if (news.sockets) this.takeSockets(news.sockets);
    this.tell();
  }

  /** A connection that we have not seen before starts with the messages that are still in the buffer. */
  private takeSockets(sockets: Sockets): void {
    this.sockets = sockets;
    const open = new Set(sockets.open.map(({ id }) => id));
    for (const id of this.rates.keys()) if (!open.has(id)) this.rates.delete(id);
    for (const { id, messageRate } of sockets.open) {
      if (this.rates.has(id)) continue;
      const { incoming, outgoing } = messageRate;
      this.rates.set(id, {
        ...past(this.rows, id, this.now()),
        totals: { incoming: incoming.total, outgoing: outgoing.total },
      });
    }
  }

  /** Called once a second: counts the messages since the last call. Totals are exact for sampled connections, too. */
  second(): void {
    for (const { id, messageRate } of this.sockets.open) {
      const rates = this.rates.get(id);
      if (!rates) continue;
      for (const way of ['incoming', 'outgoing'] as const) {
        const { total } = messageRate[way];
        rates[way] = [...rates[way].slice(1), Math.max(0, total - rates.totals[way])];
        rates.totals[way] = total;
      }
    }
    if (this.sockets.open.length > 0) this.tell();
  }
}

function past(rows: readonly Row[], socket: string, now: number): Pick<Rates, 'incoming' | 'outgoing'> {
  const incoming: number[] = new Array(RATE_SECONDS).fill(0);
  const outgoing: number[] = new Array(RATE_SECONDS).fill(0);
  for (const row of rows) {
    const place = RATE_SECONDS - 1 - Math.floor((now - row.t) / 1_000);
    // Only messages have an arrow in their text; opening and closing do not.
    if (row.s !== socket || place < 0 || place >= RATE_SECONDS || !/ [←→] /.test(row.x)) continue;
    const way = row.out ? outgoing : incoming;
    way[place] = (way[place] ?? 0) + 1;
  }
  return { incoming, outgoing };
}

/** New rows replace old ones with the same cursor. Rows that the server has evicted are removed here, too. */
export function merge(known: readonly Row[], news: readonly Row[], reach: Record<Row['b'], number>): Row[] {
  const rows = new Map<number, Row>();
  for (const row of known) rows.set(row.c, row);
  for (const row of news) rows.set(row.c, row);
  const told = new Set<string>();
  for (const row of rows.values()) if (row.b === 'n' && row.r) told.add(row.r);
  const kept = [...rows.values()].filter(
    // A failed request whose details are known is listed only once.
    (row) => row.c >= reach[row.b] && !(row.b === 'l' && row.k === 'network' && row.r && told.has(row.r)),
  );
  return kept.sort((a, b) => a.t - b.t || a.c - b.c).slice(-DASHBOARD_MOMENTS);
}
