// The requests of the extension's own pages to the worker, and its answers.

import type { ExtensionCounts } from 'gasoline-capture/wire.gen';

export type Request =
  /** Everything the popup shows, for one tab. */
  | { type: 'popup-state'; tabId: number | null }
  /** Try the server now instead of waiting for the next attempt. */
  | { type: 'reconnect' }
  /** Clear the server's buffers and the queue in the browser. */
  | { type: 'clear' }
  /** The extension's own log, as text to save. */
  | { type: 'debug-log' }
  | { type: 'dismiss-annotation-warning' }
  /** Ask a server for its health without switching to it. */
  | { type: 'test-server'; server: string };

export interface Replies {
  'popup-state': PopupState;
  reconnect: Connection;
  clear: { ok: boolean; message: string };
  'debug-log': { text: string };
  'dismiss-annotation-warning': Record<string, never>;
  'test-server': { ok: boolean; message: string };
}

export interface Connection {
  /** `paused`: five sends in a row failed, so sending pauses for half a minute. */
  state: 'connecting' | 'connected' | 'disconnected' | 'paused';
  server: string;
  serverVersion?: string;
  /** One sentence that says why it is not connected and what to do. */
  problem?: string;
}

/** Why the current tab is captured or not. `restricted`: a page that is closed to extensions. */
export type SiteReason = 'local' | 'all' | 'listed' | 'blocked' | 'not-listed' | 'restricted' | 'own';

export interface TabCounts {
  errors: number;
  warnings: number;
  logs: number;
  requests: number;
  failedRequests: number;
  websocket: number;
  actions: number;
}

/** `soft`: the queue has half its capacity. `hard`: also, no bodies are captured. */
export type MemoryState = 'normal' | 'soft' | 'hard';

export interface PopupState {
  connection: Connection;
  site: { host: string; captured: boolean; reason: SiteReason; needsReload: boolean };
  counts: TabCounts;
  accounting: ExtensionCounts;
  memory: { megabytes: number; state: MemoryState };
  /** The size of annotations that make errors large, in KB per entry. */
  annotationWarning: { kilobytes: number } | null;
}

export function ask<T extends Request['type']>(request: Extract<Request, { type: T }>): Promise<Replies[T]> {
  return chrome.runtime.sendMessage(request) as Promise<Replies[T]>;
}
