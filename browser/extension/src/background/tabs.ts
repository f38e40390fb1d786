// The open tabs as reported to the server and its AI clients.

import { REPORTED, type ReportedSettings } from 'gasoline-capture/settings.gen';
import type { Tab } from 'gasoline-capture/wire.gen';
import type { Settings } from '../shared/settings';

export async function listTabs(isCaptured: (url: string) => boolean): Promise<Tab[]> {
  const [tabs, focused] = await Promise.all([
    chrome.tabs.query({}),
    chrome.windows.getLastFocused().catch(() => undefined),
  ]);
  return tabs.flatMap((tab) => {
    if (tab.id === undefined) return [];
    const url = tab.url ?? '';
    const captured = isCaptured(url);
    // Of a page that is not captured, only its origin is reported.
    const shown = captured ? { url, title: tab.title ?? '' } : { url: originOf(url) };
    return [{ id: tab.id, ...shown, active: tab.active && tab.windowId === focused?.id, captured }];
  });
}

export function reportedSettings(settings: Settings): ReportedSettings {
  return Object.fromEntries(REPORTED.map((name) => [name, settings[name]]));
}

function originOf(address: string): string {
  try {
    const url = new URL(address);
    return url.origin === 'null' ? `${url.protocol}//` : url.origin;
  } catch {
    return '';
  }
}
