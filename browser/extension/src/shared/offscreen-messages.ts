// What the worker and its offscreen document, which alone can record, say to each other.

import type { RecordingMetadata, RecordingReply } from 'gasoline-capture/wire.gen';

export const OFFSCREEN_PAGE = 'offscreen.html';

/** Where a recording goes. Without a token the document asks for one itself. */
export interface Destination {
  address: string;
  token: string | undefined;
}

export interface RecordOrder {
  type: 'offscreen-record-start';
  streamId: string;
  /** The tab's size. Chrome would put black bars around what does not fit. */
  size: { width: number; height: number };
  metadata: RecordingMetadata;
  destination: Destination;
}

export type ToOffscreen =
  | RecordOrder
  /** Answered once the recording is saved, or could not be. */
  | { type: 'offscreen-record-stop'; destination: Destination };

export type Started = { ok: true } | { ok: false; problem: string };

/** `final`: trying again would not help. Else the recording is still there, to be stopped once more. */
export type Outcome = { saved: RecordingReply } | { problem: string; final: boolean };

/** A recording that ended by itself: its tab was closed, or its time was up. */
export interface RecordingEnded {
  type: 'recording-ended';
  outcome: Outcome;
}
