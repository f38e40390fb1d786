// The current site and its switch.

import type { PopupState } from '../shared/messages';
import { loadSettings, updateSettings } from '../shared/settings';
import { judge } from '../shared/sites';
import { hook, onClick, setText, show } from './elements';
import { REASONS, switchedOff, switchedOn } from './site-rules';

type Site = PopupState['site'];

/** How long after a click the worker may still report the old state before its report overrides the click. */
const SETTLE_MILLIS = 2000;

export function bindSite(tabId: number | null, changed: () => void, failed: () => void): (site: Site) => void {
  const toggle = hook<HTMLInputElement>('site-switch');
  let shown: Site | null = null;
  let chosen: { site: Site; until: number } | null = null;

  const render = (site: Site) => {
    shown = site;
    const restricted = site.reason === 'restricted' || site.reason === 'own';
    toggle.checked = site.captured;
    toggle.disabled = restricted;
    setText(hook('site-host'), site.host || 'This page');
    setText(hook('site-reason'), REASONS[site.reason]);
    show(hook('needs-reload'), site.needsReload && site.captured);
    show(hook('counts'), !restricted);
  };

  toggle.addEventListener('change', async () => {
    if (!shown) return;
    const { host } = shown;
    const on = toggle.checked;
    try {
      const address = await addressOf(host, tabId);
      await updateSettings((now) => (on ? switchedOn : switchedOff)(address, now));
      const site = { ...shown, ...judge(address, await loadSettings()), needsReload: false };
      chosen = { site, until: Date.now() + SETTLE_MILLIS };
      render(site);
      changed();
    } catch {
      toggle.checked = !on;
      failed();
    }
  });

  onClick('reload-page', async () => {
    if (tabId !== null) await chrome.tabs.reload(tabId);
    changed();
  });

  return (site) => {
    const stale = chosen && Date.now() < chosen.until && site.host === chosen.site.host;
    if (stale && site.captured !== chosen?.site.captured) return;
    chosen = null;
    render(site);
  };
}

/** The page's URL if the extension may read it: its scheme decides what `example.com:443` means. */
async function addressOf(host: string, tabId: number | null): Promise<string> {
  const tab = tabId === null ? null : await chrome.tabs.get(tabId).catch(() => null);
  // The tab may have navigated since the popup was drawn; the click was meant for the host on screen.
  if (tab?.url && URL.canParse(tab.url) && new URL(tab.url).host === host) return tab.url;
  return `http://${host}/`;
}
