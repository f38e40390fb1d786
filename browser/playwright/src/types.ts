// What a test file sees.

export interface GasolineWorkerOptions {
  /** The server's port; 0 for any free one, which then has to be started here. */
  gasolinePort: number;
  /** Start the server when none runs, once per run, and end it with the run. */
  gasolineAutoStart: boolean;
  /** The binary, by path or by name, with arguments if it needs any. Empty: `gasoline` where it is installed. */
  gasolineBinary: string;
}

export interface GasolineTestOptions {
  /** Which bodies are kept: those of failed requests, or all. */
  gasolineCaptureMode: 'errors-only' | 'all';
  /** Attach what was captured to tests that failed, and to those that passed after failing. */
  gasolineAttachOnFailure: boolean;
}

export type GasolineOptions = GasolineWorkerOptions & GasolineTestOptions;

export interface GasolineFixture {
  /** What this test's pages did so far. `since`: an ISO time. Without a server it is empty. */
  getSnapshot(since?: string): Promise<GasolineSnapshot>;
  /** Forgets what this test's pages did so far. */
  clear(): Promise<void>;
  /** Gives a part of a test a name of its own: what happens until its end belongs to that name. */
  markTest(testId: string, action: 'start' | 'end'): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: entries have many shapes, and tests know which they look for
type Entry = Record<string, any>;

export interface GasolineSnapshot {
  timestamp: string;
  test_id?: string;
  logs: Entry[];
  websocket_events: Entry[];
  network_bodies: Entry[];
  enhanced_actions?: Entry[];
  dom_snapshots?: Entry[];
  stats: {
    total_logs: number;
    error_count: number;
    warning_count: number;
    network_failures: number;
    ws_connections: number;
  };
}

export const EMPTY_STATS: GasolineSnapshot['stats'] = {
  total_logs: 0,
  error_count: 0,
  warning_count: 0,
  network_failures: 0,
  ws_connections: 0,
};
