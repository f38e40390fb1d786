// Where our scripts run: they are registered for captured sites, and injected into pages that are already open.

import type { MemoryState } from '../shared/messages';
import type { ToContent } from '../shared/page-messages';
import type { Settings } from '../shared/settings';
import { judge, matchPatterns } from '../shared/sites';
import { orElse } from './deadline';

const PAGE = 'page';
const CONTENT = 'content';
/** A page that has not answered by then hangs, or is paused in a debugger. */
const HANGING_MILLIS = 1_000;

/**
 * Registers the scripts as the settings say. Registrations persist, so the scripts run even before the worker starts.
 */
export async function registerScripts(settings: Settings): Promise<void> {
  const { matches, excludeMatches } = matchPatterns(settings);
  const known = await chrome.scripting.getRegisteredContentScripts();
  if (matches.length === 0) {
    if (known.length > 0) await chrome.scripting.unregisterContentScripts();
    return;
  }
  const shared = {
    matches,
    excludeMatches,
    runAt: 'document_start',
    allFrames: true,
  } as const;
  const scripts: chrome.scripting.RegisteredContentScript[] = [
    { id: PAGE, world: 'MAIN', js: [pageScript(settings)], ...shared },
    // Frames without an address (about:blank, srcdoc, blob) belong to the page that made them. There the relay is
    // injected first, and asks for the page script if that may run. In a sandbox without scripts, the mere attempt
    // would show in the page's console.
    { id: CONTENT, world: 'ISOLATED', js: ['content.js'], matchOriginAsFallback: true, ...shared },
  ];
  const ids = new Set(known.map(({ id }) => id));
  if (ids.has(PAGE) && ids.has(CONTENT)) await chrome.scripting.updateContentScripts(scripts);
  else {
    if (known.length > 0) await chrome.scripting.unregisterContentScripts();
    await chrome.scripting.registerContentScripts(scripts);
  }
}

/**
 * Applies the settings to open pages: pages that have our scripts get the new switches, others get the scripts. A page
 * that hangs gets them when it continues, and is not waited for.
 */
export async function refreshTabs(
  settings: Settings,
  memory: MemoryState,
  injected: (tabId: number) => void,
): Promise<void> {
  const message: ToContent = { type: 'configure', settings, memory };
  const refresh = async ({ id, url, discarded }: chrome.tabs.Tab): Promise<void> => {
    if (id === undefined || !url) return;
    const taken = await chrome.tabs.sendMessage<ToContent, unknown>(id, message).catch(() => false);
    if (taken === true || discarded || !judge(url, settings).captured) return;
    if (await inject(id)) injected(id);
  };
  const tabs = await chrome.tabs.query({});
  await Promise.all(tabs.map((tab) => orElse(HANGING_MILLIS, refresh(tab), undefined)));
}

/** The relay asks for the page script by itself. */
async function inject(tabId: number): Promise<boolean> {
  try {
    const target = { tabId, allFrames: true };
    await chrome.scripting.executeScript({ target, files: ['content.js'], injectImmediately: true });
    return true;
  } catch {
    // A page that is closed to extensions.
    return false;
  }
}

/** Injects the page script into a frame whose relay asked for it. */
export async function injectPage(settings: Settings, tabId: number, frameId: number): Promise<void> {
  const target = { tabId, frameIds: [frameId] };
  await chrome.scripting.executeScript({
    target,
    world: 'MAIN',
    files: [pageScript(settings)],
    injectImmediately: true,
  });
}

function pageScript(settings: Settings): string {
  return settings.captureNetworkBodies ? 'page-bodies.js' : 'page.js';
}
