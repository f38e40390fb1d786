// Pictures of what is on the screen. Chrome allows two a second, whoever asks.

import { Failure } from './failure';

const GAP_MILLIS = 550;
const QUALITY = 85;

export class Camera {
  private turn: Promise<unknown> = Promise.resolve();
  private takenAt = 0;

  /** A JPEG as a data address, taken as soon as Chrome allows. */
  shoot(tab: { id: number; windowId: number }): Promise<string> {
    const picture = this.turn.then(async () => {
      const wait = this.takenAt + GAP_MILLIS - Date.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      await mustBeInFront(tab.id);
      this.takenAt = Date.now();
      const data = await chrome.tabs.captureVisibleTab(tab.windowId, { format: 'jpeg', quality: QUALITY });
      // The user may have gone to another tab meanwhile, whose picture is none of ours.
      await mustBeInFront(tab.id);
      return data;
    });
    this.turn = picture.catch(() => {});
    return picture;
  }
}

async function mustBeInFront(tabId: number): Promise<void> {
  const tab = await chrome.tabs.get(tabId).catch(() => undefined);
  if (!tab) throw new Failure('TAB_NOT_FOUND', `Tab ${tabId} was closed.`);
  if (!tab.active) {
    throw new Failure(
      'TAB_HIDDEN',
      `Tab ${tabId} is behind another tab of its window: only what is shown can be seen.`,
    );
  }
}
