// A picture of the page when an error happens, where the user wants that.

import type { DebugLog } from './debug-log';
import type { Server } from './server';

/** Chrome allows two captures a second; a burst of errors needs one picture. */
const GAP_MILLIS = 1_000;
const QUALITY = 80;

export class Screenshots {
  private takenAt = 0;

  constructor(
    private readonly server: () => Server,
    private readonly log: DebugLog,
  ) {}

  async take(tab: chrome.tabs.Tab | undefined, errors: string[]): Promise<void> {
    // Only what is on the screen can be captured; another tab's picture would be a wrong one.
    if (!tab?.active || Date.now() - this.takenAt < GAP_MILLIS) return;
    this.takenAt = Date.now();
    try {
      const data_url = await chrome.tabs.captureVisibleTab(tab.windowId, { format: 'jpeg', quality: QUALITY });
      // The user may have gone to another tab meanwhile, whose picture is none of ours.
      if (tab.id === undefined || !(await chrome.tabs.get(tab.id)).active) return;
      const body = JSON.stringify({ data_url, url: tab.url ?? '', error_id: errors[0] });
      const response = await this.server().withToken('/screenshots', { method: 'POST', body });
      if (!response.ok) this.log.add('warn', 'a screenshot was not saved', { status: response.status });
    } catch (error) {
      this.log.add('warn', 'no screenshot', { error: String(error) });
    }
  }
}
