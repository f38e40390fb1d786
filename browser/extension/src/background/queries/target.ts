// Finds the tab that a query is about. Each reason why a tab cannot be queried has its own message.

import type { Settings } from '../../shared/settings';
import { judge } from '../../shared/sites';
import { Failure } from './failure';

export type Target = chrome.tabs.Tab & { id: number; url: string };

/** Pages that Chrome closes to extensions. */
const STORE = /^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore)(\/|$)/;

export async function findTarget(tabId: number | null | undefined, settings: Settings): Promise<Target> {
  const tab = tabId == null ? await tabInFront() : await tabById(tabId);
  const url = tab.url ?? '';
  if (!/^(https?|file):/.test(url) || STORE.test(url)) {
    throw new Failure(
      'TAB_RESTRICTED',
      `Tab ${tab.id} shows ${STORE.test(url) ? 'the web store' : nameOf(url)}, where Chrome does not let extensions in.`,
    );
  }
  if (!judge(url, settings).captured) {
    throw new Failure('SITE_NOT_ENABLED', `Tab ${tab.id} shows ${new URL(url).host}, a site that is not enabled.`);
  }
  if (tab.discarded) {
    throw new Failure('TAB_DISCARDED', `Tab ${tab.id} is asleep: Chrome unloaded it to save memory.`);
  }
  return tab as Target;
}

async function tabById(id: number): Promise<chrome.tabs.Tab> {
  try {
    return await chrome.tabs.get(id);
  } catch {
    throw new Failure('TAB_NOT_FOUND', `No tab has the id ${id}; it may have been closed.`);
  }
}

/** The active tab of the window that was focused last. */
async function tabInFront(): Promise<chrome.tabs.Tab> {
  const window = await chrome.windows.getLastFocused({ windowTypes: ['normal'] }).catch(() => undefined);
  const [tab] = await chrome.tabs.query(
    window?.id === undefined ? { active: true, lastFocusedWindow: true } : { active: true, windowId: window.id },
  );
  if (!tab) throw new Failure('TAB_NOT_FOUND', 'No browser window is open.');
  return tab;
}

function nameOf(url: string): string {
  // Chrome hides the addresses of its own pages.
  return url === '' ? 'a page of the browser itself' : `a ${url.split(':')[0]}: page`;
}
