import type { CaptureSettings } from '../../../capture/src/index';
import type { MemoryState } from './messages';
import type { Settings } from './settings';

/** Whether anything of the page itself is wanted with its errors. */
export function readsPages(settings: Settings): boolean {
  return settings.aiContextEnabled && (settings.aiContextComponentTree || settings.aiContextStateSnapshot);
}

/** The user's switches as the capture core knows them. */
export function captureSettings(settings: Settings, memory: MemoryState): CaptureSettings {
  return {
    console: settings.captureConsole,
    level: settings.captureLevel,
    webSockets: settings.captureWebSockets,
    bodies: settings.captureNetworkBodies && memory !== 'hard' ? 'all' : 'none',
    actions: settings.captureActions,
    networkWaterfall: settings.networkWaterfall,
    performanceMarks: settings.performanceMarks,
    evidence: readsPages(settings),
    debug: settings.debugMode,
    queueShare: memory === 'normal' ? 1 : 0.5,
    server: settings.server,
  };
}
