// What every kind of capture gets: a way out for events, the switches, time when the page is idle, and a guard that
// keeps our failures away from the page.

import { PAGE_DEFAULTS, type PageSwitches } from './settings.gen';
import type {
  DomSnapshot,
  EnhancedAction,
  LogEntry,
  NetworkBody,
  PerformanceSnapshot,
  WebSocketEvent,
} from './wire.gen';

export type CaptureEvent =
  | ({ type: 'console' | 'error' } & Omit<LogEntry, 'type'>)
  | ({ type: 'network' } & Omit<NetworkBody, 'type'>)
  | ({ type: 'websocket' } & Omit<WebSocketEvent, 'type'>)
  | ({ type: 'action' } & Omit<EnhancedAction, 'type'>)
  | ({ type: 'performance' } & Omit<PerformanceSnapshot, 'type'>)
  | ({ type: 'dom_snapshot' } & Omit<DomSnapshot, 'type'>);

/** The user's switches, and what follows from them or from the host. */
export interface CaptureSettings extends PageSwitches {
  bodies: 'none' | 'errors' | 'all';
  /** Note at an error which components the page consists of. */
  reactSnapshot?: boolean;
  /** How much of its usual room the page's queue has: less when memory is short. */
  queueShare: number;
  /** Requests to this origin are our own. */
  server: string;
}

export const DEFAULT_SETTINGS: CaptureSettings = {
  ...PAGE_DEFAULTS,
  bodies: 'none',
  queueShare: 1,
  server: '',
};

/** What observers need; they may run outside the page's world. */
export interface Host {
  /** False once capture ended here: wrappers that the page kept must do nothing. */
  readonly alive: boolean;
  emit(event: CaptureEvent): void;
  /** Runs work after the page has loaded and when it is idle. */
  later(work: () => void): void;
  /** Runs work; its failure goes no further. */
  safely<T>(work: () => T): T | undefined;
}

export interface Core extends Host {
  readonly switches: Readonly<CaptureSettings>;
  /** Hands an event over; `urgent` ones leave at once. Its last details may be filled in by `finish`, when idle. */
  emit(event: CaptureEvent, options?: { urgent?: boolean; finish?: () => void }): void;
  /** The same for work on the page's own time, which is measured when debugging. Once capture ended it is not done. */
  intercept<T>(work: () => T): T | undefined;
  /** Counts what is left out because we are too slow. */
  tooSlow(what: 'bodies' | 'sockets'): void;
  /** A new id for an entry. */
  id(): string;
  /** What is known at the moment of an error: annotations, recent actions, timing. */
  context: ErrorContext;
}

export interface ErrorContext {
  annotations(): Record<string, unknown> | undefined;
  /** Newest last. */
  actions(): CaptureEvent[];
  /** Notes what will be gone a moment later. */
  snapshotReact(id: string): void;
}
