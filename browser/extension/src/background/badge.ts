// The badge shows REC while the tab is recorded, else the number of the tab's errors in red. It is grey when the server
// is unreachable, and empty when all is well.

import type { Connection } from '../shared/messages';

const RED = '#c4314b';
const GREY = '#6e7681';

export async function showBadge(
  connection: Connection['state'],
  tabId: number,
  captured: boolean,
  errors: number,
  recorded: boolean,
): Promise<void> {
  const away = connection !== 'connected';
  const state = away
    ? 'not connected to its server'
    : captured
      ? `capturing, ${errors} ${errors === 1 ? 'error' : 'errors'}`
      : 'this site is not captured';
  const count = away ? '!' : captured && errors > 0 ? (errors > 99 ? '99+' : String(errors)) : '';
  const text = recorded ? 'REC' : count;
  const title = recorded ? `Gasoline: recording this tab; ${state}` : `Gasoline: ${state}`;
  await Promise.all([
    chrome.action.setBadgeText({ tabId, text }),
    chrome.action.setBadgeBackgroundColor({ tabId, color: away && !recorded ? GREY : RED }),
    chrome.action.setBadgeTextColor({ tabId, color: '#ffffff' }),
    chrome.action.setTitle({ tabId, title }),
  ]).catch(() => {
    // The tab was closed in the meantime.
  });
}
