// The messages between the worker and its offscreen document, which alone can record.

import type { RecordingMetadata, RecordingReply } from 'gasoline-capture/wire.gen';

export const OFFSCREEN_PAGE = 'offscreen.html';

/** Where a recording is uploaded. Without a token, the document requests one itself. */
export interface Destination {
  address: string;
  token: string | undefined;
}

export interface RecordOrder {
  type: 'offscreen-record-start';
  streamId: string;
  /** The tab's size. For any other size, Chrome would add black bars. */
  size: { width: number; height: number };
  metadata: RecordingMetadata;
  destination: Destination;
}

export type ToOffscreen =
  | RecordOrder
  /** Answered once the recording is saved, or saving has failed. */
  | { type: 'offscreen-record-stop'; destination: Destination };

export type Started = { ok: true } | { ok: false; problem: string };

/** `final`: trying again would not help. Otherwise the recording is kept, and stopping it again saves it. */
export type Outcome = { saved: RecordingReply } | { problem: string; final: boolean };

/** A recording that ended by itself: its tab was closed, or it reached a limit. */
export interface RecordingEnded {
  type: 'recording-ended';
  outcome: Outcome;
}
