import type { CaptureSettings } from 'gasoline-capture/index';
import { PAGE_SETTINGS, type PageSwitches } from 'gasoline-capture/settings.gen';
import type { MemoryState } from './messages';
import type { Settings } from './settings';

/** Whether errors are enriched with anything from the page itself. */
export function readsPages(settings: Settings): boolean {
  return settings.aiContextEnabled && (settings.aiContextComponentTree || settings.aiContextStateSnapshot);
}

/** The user's switches in the form that the capture core uses. */
export function captureSettings(settings: Settings, memory: MemoryState): CaptureSettings {
  const switches = Object.entries(PAGE_SETTINGS).map(([name, setting]) => [name, settings[setting]]);
  return {
    ...(Object.fromEntries(switches) as PageSwitches),
    bodies: settings.captureNetworkBodies && memory !== 'hard' ? 'all' : 'none',
    reactSnapshot: readsPages(settings),
    queueShare: memory === 'normal' ? 1 : 0.5,
    server: settings.server,
  };
}
