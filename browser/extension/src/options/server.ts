// The server's address: checks it, tests it without using it, saves it.

import { busy, hook, onClick } from '../popup/elements';
import { ask } from '../shared/messages';
import { checkServer, type Settings, updateSettings } from '../shared/settings';
import { markInvalid, tell } from './message';

export function bindServer(): (settings: Settings) => void {
  const form = hook<HTMLFormElement>('server-form');
  const input = hook<HTMLInputElement>('server-input');
  const message = hook('server-message');
  let saved = '';

  const valid = (): string | null => {
    const checked = checkServer(input.value);
    markInvalid(input, 'problem' in checked);
    if ('server' in checked) return checked.server;
    tell(message, checked.problem, false);
    input.focus();
    return null;
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const server = valid();
    if (server === null) return;
    await updateSettings(() => ({ server })).then(
      () => {
        saved = server;
        input.value = server;
        tell(message, 'Saved. The extension now uses this address.', true);
      },
      () => tell(message, 'Could not save.', false),
    );
  });

  onClick('server-test', () =>
    busy(hook('server-test'), async () => {
      const server = valid();
      if (server === null) return;
      tell(message, `Asking ${server} …`);
      const result = await ask({ type: 'test-server', server }).catch(() => ({
        ok: false,
        message: 'The extension does not answer. Reload it on chrome://extensions.',
      }));
      const unsaved = result.ok && server !== saved ? ' Not saved yet.' : '';
      tell(message, result.message + unsaved, result.ok);
    }),
  );

  input.addEventListener('input', () => {
    markInvalid(input, false);
    tell(message, '');
  });

  return ({ server }) => {
    // Another page may save while the user types here; keep the user's text.
    if (input.value === saved) input.value = server;
    saved = server;
  };
}
