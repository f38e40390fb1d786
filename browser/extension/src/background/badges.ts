// When badges are drawn: after something happened in a tab, and for the tab in front of the user when the connection changes.

import { showBadge } from './badge';

const BADGE_MILLIS = 300;

export interface BadgeFacts {
  connection: Parameters<typeof showBadge>[0];
  captured: boolean;
  errors: number;
  recorded: boolean;
}

export class Badges {
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();

  constructor(private readonly factsOf: (tab: chrome.tabs.Tab) => Promise<BadgeFacts>) {}

  async show(tabId: number): Promise<void> {
    const tab = await chrome.tabs.get(tabId).catch(() => undefined);
    if (!tab) return;
    const { connection, captured, errors, recorded } = await this.factsOf(tab);
    await showBadge(connection, tabId, captured, errors, recorded);
  }

  /** Not while the page loads: it would have to share the browser with us. */
  showSoon(tabId: number): void {
    if (this.timers.has(tabId)) return;
    const show = () => {
      this.timers.delete(tabId);
      void this.show(tabId);
    };
    this.timers.set(tabId, setTimeout(show, BADGE_MILLIS));
  }

  async showActive(): Promise<void> {
    for (const tab of await chrome.tabs.query({ active: true })) if (tab.id !== undefined) await this.show(tab.id);
  }
}
