// The popup: what happens on the current tab, and the switches.

import { ask } from '../shared/messages';
import { loadSettings, onSettings, type Settings } from '../shared/settings';
import { NO_WORKER, showConnection } from './connection';
import { showCounts } from './counts';
import { busy, hook, onClick, show } from './elements';
import { bindFooter, tell } from './footer';
import { bindLevel } from './level';
import { bindNotices, showNotices } from './notices';
import { bindSite } from './site';
import { bindSwitches } from './switches';

const REFRESH_MILLIS = 1000;

let latest = 0;
const tabId = await currentTab();
const notKept = () => tell('Could not save the setting.', false);
const showSwitches = bindSwitches(notKept);
const showLevel = bindLevel(notKept);
const showSite = bindSite(tabId, () => void refresh(), notKept);
bindNotices();
bindFooter(() => void refresh());

onClick('reconnect', () =>
  busy(hook('reconnect'), async () => {
    showConnection(await ask({ type: 'reconnect' }).catch(() => NO_WORKER));
    // After a success the button is hidden, so move the focus on.
    if (hook('trouble').hidden) hook('site-switch').focus();
    await refresh();
  }),
);

onClick('copy-command', async () => {
  const command = hook('start-command').textContent ?? '';
  await navigator.clipboard.writeText(command).then(
    () => tell(`Copied: ${command}`),
    () => tell('Could not copy.', false),
  );
});

const showSettings = (settings: Settings) => {
  showSwitches(settings);
  showLevel(settings);
};
showSettings(await loadSettings());
onSettings(showSettings);
await keepRefreshing();

async function keepRefreshing(): Promise<void> {
  if (!document.hidden) await refresh();
  // Wait for the answer first, so that a slow worker never has two queries at once.
  setTimeout(keepRefreshing, REFRESH_MILLIS);
}

async function refresh(): Promise<void> {
  const turn = ++latest;
  const state = await ask({ type: 'popup-state', tabId }).catch(() => null);
  // An older query may be answered after a newer one.
  if (turn !== latest) return;
  showConnection(state?.connection ?? NO_WORKER);
  show(hook('site'), state !== null);
  if (!state) return show(hook('counts'), false);
  showSite(state.site);
  showCounts(state.counts);
  showNotices(state);
}

/** Tests open the popup in a tab and pass the id of the tab under test. */
async function currentTab(): Promise<number | null> {
  const named = new URLSearchParams(location.search).get('tab');
  if (named) return Number(named);
  const [active] = await chrome.tabs.query({ active: true, currentWindow: true });
  return active?.id ?? null;
}
