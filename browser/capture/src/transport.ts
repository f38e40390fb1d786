// How batches leave the page. The extension, the CI script and the Playwright fixture each have their own way.

export interface Batch {
  /** One JSON text per event. */
  events: string[];
  /** Events that were lost in the page since the last batch. */
  dropped: number;
  /** Bytes that still wait in the page. */
  held: number;
  /** An error is in it. */
  urgent: boolean;
  /** What was left out since the last batch because it took too much of the page's time. */
  reduced?: Reduced | undefined;
  /** When debugging: how often we ran on the page's time since the last batch, and for how long. */
  intercepts?: { count: number; millis: number };
}

export interface Reduced {
  /** Bodies that were not read. */
  bodies: number;
  /** Times that a socket was sampled more. */
  sockets: number;
}

export interface Transport {
  /** May come before the settings are known, when the page goes away at once: then nobody judged what is in it. */
  send(batch: Batch): void;
  /** An error waits for the settings. */
  hurry?(): void;
}
