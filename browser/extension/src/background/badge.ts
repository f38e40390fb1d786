// The badge: red with the number of errors in this tab, grey when the server is away, nothing when all is well.

import type { Connection } from '../shared/messages';

const RED = '#c4314b';
const GREY = '#6e7681';

export async function showBadge(
  connection: Connection['state'],
  tabId: number,
  captured: boolean,
  errors: number,
): Promise<void> {
  const away = connection !== 'connected';
  const text = away ? '!' : captured && errors > 0 ? (errors > 99 ? '99+' : String(errors)) : '';
  const title = away
    ? 'Gasoline: not connected to its server'
    : captured
      ? `Gasoline: capturing, ${errors} ${errors === 1 ? 'error' : 'errors'}`
      : 'Gasoline: this site is not captured';
  await Promise.all([
    chrome.action.setBadgeText({ tabId, text }),
    chrome.action.setBadgeBackgroundColor({ tabId, color: away ? GREY : RED }),
    chrome.action.setBadgeTextColor({ tabId, color: '#ffffff' }),
    chrome.action.setTitle({ tabId, title }),
  ]).catch(() => {
    // The tab was closed in the meantime.
  });
}
