// The types that test files use.

export interface GasolineWorkerOptions {
  /** The server's port; 0 for any free port, on which the server then has to be started by this package. */
  gasolinePort: number;
  /** Start the server when none runs, once per run, and end it with the run. */
  gasolineAutoStart: boolean;
  /** The binary, by path or by name, with arguments if it needs any. Empty: the installed `gasoline`. */
  gasolineBinary: string;
}

export interface GasolineTestOptions {
  /** Which bodies are kept: those of failed requests, or all. */
  gasolineCaptureMode: 'errors-only' | 'all';
  /** Attach the captured data to tests that failed, and to tests that passed after a failure. */
  gasolineAttachOnFailure: boolean;
}

export type GasolineOptions = GasolineWorkerOptions & GasolineTestOptions;

export interface GasolineFixture {
  /** What this test's pages have done so far. `since`: an ISO time. Empty without a server. */
  getSnapshot(since?: string): Promise<GasolineSnapshot>;
  /** Discards what this test's pages have done so far. */
  clear(): Promise<void>;
  /** Gives a part of a test its own id: entries until its end belong to that id. */
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
