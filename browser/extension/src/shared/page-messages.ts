// What travels between the page, the content script and the worker.

import type { Batch, CaptureSettings } from 'gasoline-capture/index';
import type { MemoryState } from './messages';
import type { Settings } from './settings';

/** Page → content, as JSON on the private line. */
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
  /** This document's name and the message's number: sent again after a lost answer, it is taken once. */
  from: string;
  number: number;
  batch: FromPage;
  /** The page went away before the settings were read: the worker has to judge what is in it. */
  unjudged: boolean;
}

/** Content → worker: this frame has no page's part yet, and scripts may run in it. */
export interface Wanted {
  type: 'inject-page';
}

/** Worker → content: the settings changed. Each frame judges for itself whether it is still captured. */
export type ToContent = { type: 'configure'; settings: Settings; memory: MemoryState };
