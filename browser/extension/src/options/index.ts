// The options page: sites, server address, parts of the AI context, debug mode.

import { saveDebugLog } from '../popup/debug-log';
import { busy, hook, onClick, setText } from '../popup/elements';
import { bindSwitches } from '../popup/switches';
import { loadSettings, onSettings, type Settings } from '../shared/settings';
import { tell } from './message';
import { bindServer } from './server';
import { bindSites } from './sites';

const parts = [
  bindSites(),
  bindServer(),
  bindSwitches(() => tell(hook('debug-message'), 'Could not save the setting.', false)),
];

onClick('export-debug-log', () =>
  busy(hook('export-debug-log'), async () => {
    const message = hook('debug-message');
    try {
      tell(message, `Saved as ${await saveDebugLog()}.`, true);
    } catch {
      tell(message, 'Could not export: the extension does not answer.', false);
    }
  }),
);

setText(hook('version'), chrome.runtime.getManifest().version);

const showSettings = (settings: Settings) => {
  for (const show of parts) show(settings);
  hook<HTMLFieldSetElement>('ai-context-parts').disabled = !settings.aiContextEnabled;
};
showSettings(await loadSettings());
onSettings(showSettings);
