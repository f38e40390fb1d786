// Takes a screenshot of the page when an error happens, if the user has switched that on.

import type { DebugLog } from './debug-log';
import type { Camera } from './queries/camera';
import type { Server } from './server';

/** One screenshot is enough for a burst of errors. */
const GAP_MILLIS = 1_000;

export class Screenshots {
  private takenAt = 0;

  constructor(
    private readonly server: () => Server,
    private readonly camera: Camera,
    private readonly log: DebugLog,
  ) {}

  async take(tab: chrome.tabs.Tab | undefined, errors: string[]): Promise<void> {
    // Only the active tab can be captured; a screenshot of another tab would be wrong.
    if (tab?.id === undefined || !tab.active || Date.now() - this.takenAt < GAP_MILLIS) return;
    this.takenAt = Date.now();
    try {
      const data_url = await this.camera.shoot({ id: tab.id, windowId: tab.windowId, url: tab.url ?? '' });
      const body = JSON.stringify({ data_url, url: tab.url ?? '', error_id: errors[0] });
      const response = await this.server().withToken('/screenshots', { method: 'POST', body });
      if (!response.ok) this.log.add('warn', 'a screenshot was not saved', { status: response.status });
    } catch (error) {
      this.log.add('warn', 'no screenshot', { error: String(error) });
    }
  }
}
