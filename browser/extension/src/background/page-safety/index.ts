// Facts that make a page less safe than it looks, sent with each snapshot of a page load, for security_audit. They
// contain names, flags and addresses, but no values of cookies. (The headers of the document are not read. A listener
// for headers would make Chrome route every request and socket of every page through another process, and socket errors
// would lose their reasons.)

import { INSECURE_RESOURCES, PAGE_COOKIES } from 'gasoline-capture/limits.gen';
import { cut } from 'gasoline-capture/text';
import type { Cookie, PerformanceSnapshot } from 'gasoline-capture/wire.gen';
import { orElse } from '../deadline';
import { insecureResourcesOf } from './in-page';

/** The snapshot waits no longer than this. */
const MILLIS = 500;
const URL_CHARS = 200;
const NAME_CHARS = 100;
/** Traffic that never leaves the machine cannot be intercepted. */
const LOOPBACK = /^https?:\/\/(localhost|127\.[\d.]+|\[::1\]|[^/:]+\.localhost)(?=[:/?#]|$)/i;
const SAME_SITE: Record<string, string> = { no_restriction: 'None', lax: 'Lax', strict: 'Strict' };

export type Safety = Pick<PerformanceSnapshot, 'pageUrl' | 'insecureResources' | 'cookies'>;

interface Page {
  tabId: number;
  documentId: string;
  url: string;
}

/** Facts that cannot be determined are left out. */
export async function pageSafety(page: Page): Promise<Safety> {
  const isEncrypted = page.url.startsWith('https:') && !LOOPBACK.test(page.url);
  const [cookies, insecure] = await Promise.all([
    orElse(MILLIS, cookiesOf(page.url), []),
    isEncrypted ? orElse(MILLIS, insecureResourcesOf(page.tabId, page.documentId, INSECURE_RESOURCES), []) : [],
  ]);
  const insecureResources = insecure
    .filter(({ url }) => !LOOPBACK.test(url))
    .map(({ url, type }) => ({ url: cut(url, URL_CHARS), type }));
  if (cookies.length === 0 && insecureResources.length === 0) return {};
  return {
    pageUrl: cut(page.url, URL_CHARS),
    ...(insecureResources.length > 0 && { insecureResources }),
    ...(cookies.length > 0 && { cookies }),
  };
}

async function cookiesOf(url: string): Promise<Cookie[]> {
  const found = await chrome.cookies.getAll({ url });
  return found
    .filter(({ name }) => name !== '')
    .slice(0, PAGE_COOKIES)
    .map(({ name, secure, httpOnly, sameSite }) => {
      const known = SAME_SITE[sameSite];
      return { name: cut(name, NAME_CHARS), secure, httpOnly, ...(known && { sameSite: known }) };
    });
}
