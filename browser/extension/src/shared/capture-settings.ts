import type { CaptureSettings } from '../../../capture/src/index';
import type { MemoryState } from './messages';
import type { Settings } from './settings';

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
    debug: settings.debugMode,
    queueShare: memory === 'normal' ? 1 : 0.5,
    server: settings.server,
  };
}
