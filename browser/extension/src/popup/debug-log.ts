// Saving the extension's own log as a file.

import { ask } from '../shared/messages';

/** Returns the file's name. */
export async function saveDebugLog(): Promise<string> {
  const { text } = await ask({ type: 'debug-log' });
  const name = `gasoline-debug-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.txt`;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  // The browser reads the blob after the click returns.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return name;
}
