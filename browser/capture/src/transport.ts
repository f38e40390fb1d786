// How batches leave the page. The extension, the CI script and the Playwright fixture each have their own transport.

export interface Batch {
  /** One JSON text per event. */
  events: string[];
  /** Events that were lost in the page since the last batch. */
  dropped: number;
  /** Bytes that are still queued in the page. */
  held: number;
  /** The batch contains an error. */
  urgent: boolean;
  /** What was left out since the last batch because it took too much of the page's time. */
  reduced?: Reduced | undefined;
  /** When debugging: how often, and for how long, our code ran on the page's time since the last batch. */
  intercepts?: { count: number; millis: number };
}

export interface Reduced {
  /** Bodies that were not read. */
  bodies: number;
  /** How often the sampling of a socket was reduced. */
  sockets: number;
}

export interface Transport {
  /** May be called before the settings are known, when the page goes away at once. The batch is then unfiltered. */
  send(batch: Batch): void;
  /** Called when an error waits for the settings. */
  hurry?(): void;
}
