// The interface that every kind of capture uses: a way to emit events, the switches, idle time, and a guard that keeps
// our failures away from the page.

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

/** The user's switches, and settings that follow from them or from the host. */
export interface CaptureSettings extends PageSwitches {
  bodies: 'none' | 'errors' | 'all';
  /** Take a snapshot of React's components at an error. */
  reactSnapshot?: boolean;
  /** The share of its usual capacity that the page's queue may use: less when memory is low. */
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

/** The interface for observers, which may run outside the page's world. */
export interface Host {
  /** False after capture ended here. Wrappers that the page still holds must then do nothing. */
  readonly alive: boolean;
  emit(event: CaptureEvent): void;
  /** Runs work once the page has loaded and is idle. */
  later(work: () => void): void;
  /** Runs work and catches its failure. */
  safely<T>(work: () => T): T | undefined;
}

export interface Core extends Host {
  readonly switches: Readonly<CaptureSettings>;
  /** Emits an event; `urgent` ones are sent at once. `finish` may fill in its last details when the page is idle. */
  emit(event: CaptureEvent, options?: { urgent?: boolean; finish?: () => void }): void;
  /**
   * Like `safely`, for work on the page's own time, which is measured when debugging. Does nothing after capture ended.
   */
  intercept<T>(work: () => T): T | undefined;
  /** Counts data that is left out because capturing it is too slow. */
  tooSlow(what: 'bodies' | 'sockets'): void;
  /** A new id for an entry. */
  id(): string;
  /** The context at the time of an error: annotations, recent actions, timing. */
  context: ErrorContext;
}

export interface ErrorContext {
  annotations(): Record<string, unknown> | undefined;
  /** Newest last. */
  actions(): CaptureEvent[];
  /** Takes a snapshot of React's components, which React is about to remove. */
  snapshotReact(id: string): void;
}
