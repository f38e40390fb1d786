// Clear, export, options, and the line that reports the result.

import { ask } from '../shared/messages';
import { saveDebugLog } from './debug-log';
import { busy, hook, onClick, setText, show } from './elements';

const MESSAGE_MILLIS = 8000;
let fading: ReturnType<typeof setTimeout> | undefined;

export function tell(text: string, ok = true): void {
  const message = hook('message');
  message.toggleAttribute('data-bad', !ok);
  setText(message, text);
  clearTimeout(fading);
  fading = setTimeout(() => setText(message, ''), MESSAGE_MILLIS);
}

export function bindFooter(changed: () => void): void {
  const confirm = hook('clear-confirm');
  const confirming = (open: boolean) => {
    show(confirm, open);
    show(hook('actions'), !open);
    hook(open ? 'clear-yes' : 'clear').focus();
  };

  onClick('clear', () => {
    tell('');
    confirming(true);
  });
  onClick('clear-no', () => confirming(false));
  confirm.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    // Otherwise Chrome would close the popup.
    event.preventDefault();
    confirming(false);
  });
  onClick('clear-yes', () =>
    busy(hook('clear-yes'), async () => {
      const done = await ask({ type: 'clear' }).catch(() => ({ ok: false, message: 'The extension does not answer.' }));
      confirming(false);
      tell(done.message || (done.ok ? 'Cleared.' : 'Could not clear.'), done.ok);
      changed();
    }),
  );

  onClick('export-debug-log', () =>
    busy(hook('export-debug-log'), async () => {
      try {
        tell(`Saved as ${await saveDebugLog()}.`);
      } catch {
        tell('Could not export: the extension does not answer.', false);
      }
    }),
  );

  hook('open-options').addEventListener('click', (event) => {
    // Focuses an options page that is already open instead of opening another.
    event.preventDefault();
    void chrome.runtime.openOptionsPage();
  });
}
