// The headers that a page's own document came with: no script can read those.

import { cut } from '../../../../capture/src/text';

export const POLICY = 'content-security-policy';

/** Those that security_audit judges. */
const TOLD = new Set([
  POLICY,
  'x-frame-options',
  'strict-transport-security',
  'x-content-type-options',
  'referrer-policy',
  'x-powered-by',
]);
const VALUE_CHARS = 100;
const TABS = 50;

interface Document {
  url: string;
  headers: Record<string, string>;
}

const documents = new Map<number, Document>();

/** Only watches; for navigations alone, so that no other request ever waits for us or wakes this worker. */
export function watchDocumentHeaders(): void {
  chrome.webRequest.onHeadersReceived.addListener(
    ({ tabId, url, responseHeaders }) => {
      documents.delete(tabId);
      documents.set(tabId, { url, headers: protective(responseHeaders ?? []) });
      for (const oldest of documents.keys()) if (documents.size > TABS) documents.delete(oldest);
      return undefined;
    },
    { urls: ['http://*/*', 'https://*/*'], types: ['main_frame'] },
    ['responseHeaders'],
  );
}

/** Nothing when this tab's last navigation went to another site, or was before our time. */
export function headersOf(tabId: number, url: string): Record<string, string> | undefined {
  const known = documents.get(tabId);
  return known && URL.canParse(url) && new URL(known.url).origin === new URL(url).origin
    ? { ...known.headers }
    : undefined;
}

export function protective(headers: Array<{ name: string; value?: string | undefined }>): Record<string, string> {
  const told: Record<string, string> = {};
  for (const { name, value = '' } of headers) {
    const lower = name.toLowerCase();
    if (!TOLD.has(lower)) continue;
    const shown = lower === POLICY ? directives(value) : cut(value, VALUE_CHARS);
    // A policy may come in several headers, which hold together.
    told[lower] = told[lower] === undefined ? shown : `${told[lower]}; ${shown}`;
  }
  return told;
}

/** The names of a policy's parts: what they allow is long, and nobody else's business. */
export function directives(policy: string): string {
  const names = policy.split(/[;,]/).map((part) => part.trim().split(/\s/)[0]?.toLowerCase() ?? '');
  return [...new Set(names)].filter((name) => /^[a-z-]+$/.test(name)).join('; ');
}
