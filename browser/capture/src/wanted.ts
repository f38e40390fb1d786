// Events that were captured before the settings were known are filtered once they are.

import type { CaptureSettings } from './core';

export function isWanted(
  event: { type: string; level?: string | null | undefined },
  settings: Pick<CaptureSettings, 'console' | 'level' | 'webSockets' | 'actions'>,
): boolean {
  switch (event.type) {
    case 'console':
      return (
        settings.console && (settings.level === 'all' || event.level === 'error' || event.level === settings.level)
      );
    case 'websocket':
      return settings.webSockets;
    case 'action':
      return settings.actions;
    default:
      return true;
  }
}
