// Where our scripts run: registered for the sites that are captured, and put into pages that are already open.

import type { MemoryState } from '../shared/messages';
import type { ToContent } from '../shared/page-messages';
import type { Settings } from '../shared/settings';
import { judge, matchPatterns } from '../shared/sites';
import { orElse } from './deadline';

const PAGE = 'page';
const CONTENT = 'content';
/** A page that has not answered by then hangs, or is being debugged. */
const HANGING_MILLIS = 1_000;

/** Registers the scripts for what the settings say. They persist, so they are there before the worker is. */
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
    // Frames without an address (about:blank, srcdoc, blob) belong to the page that made them. There the relay goes in
    // first and asks for the page's part if that may run: in a sandbox without scripts the attempt alone would show in
    // the page's console.
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
 * Brings open pages in line with the settings: switches for those that have our scripts, scripts for those that lack them.
 * A page that hangs gets them when it goes on, and is not waited for.
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

/** The relay asks for the page's part by itself. */
async function inject(tabId: number): Promise<boolean> {
  try {
    const target = { tabId, allFrames: true };
    await chrome.scripting.executeScript({ target, files: ['content.js'], injectImmediately: true });
    return true;
  } catch {
    // A page that no extension may touch.
    return false;
  }
}

/** Puts the page's part into a frame whose relay asked for it. */
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
