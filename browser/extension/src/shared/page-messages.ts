// The messages between the page, the content script and the worker.

import type { Batch, CaptureSettings } from 'gasoline-capture/index';
import type { MemoryState } from './messages';
import type { Settings } from './settings';

/** Page → content, as JSON on the private channel. */
export interface FromPage extends Batch {
  pageId: string;
}

/** Page → content: an error waits for the settings. */
export const HURRY = 'hurry';

/** Content → page. `stop`: this site is not captured. */
export type ToPage = { settings: Partial<CaptureSettings> } | { stop: true };

/** Content → worker. */
export interface Delivery {
  type: 'deliver';
  /**
   * The document's name and the message's number. A message that is sent again after a lost answer is accepted only
   * once.
   */
  from: string;
  number: number;
  batch: FromPage;
  /** The page went away before the settings were read, so the worker has to filter the events. */
  unjudged: boolean;
}

/** Content → worker: this frame has no page script yet, and scripts may run in it. */
export interface Wanted {
  type: 'inject-page';
}

/** Worker → content: the settings changed. Each frame decides for itself whether it is still captured. */
export type ToContent = { type: 'configure'; settings: Settings; memory: MemoryState };
