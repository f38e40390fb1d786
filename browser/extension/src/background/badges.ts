// Decides when badges are drawn: after an event in a tab, and for the active tab when the connection changes.

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

  /** Waits while the page loads, so that drawing does not slow it down. */
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
