import type { CaptureSettings } from '../../../capture/src/index';
import type { Settings } from './settings';

/** The user's switches as the capture core knows them. */
export function captureSettings(settings: Settings, bodiesAllowed = true): CaptureSettings {
  return {
    console: settings.captureConsole,
    level: settings.captureLevel,
    webSockets: settings.captureWebSockets,
    bodies: settings.captureNetworkBodies && bodiesAllowed ? 'all' : 'none',
    actions: settings.captureActions,
    networkWaterfall: settings.networkWaterfall,
    performanceMarks: settings.performanceMarks,
    debug: settings.debugMode,
    server: settings.server,
  };
}
