// What makes a page less safe than it looks, for security_audit: no values, only addresses and names.

import { INSECURE_RESOURCES, READABLE_COOKIES } from './limits.gen';
import { cut } from './text';
import type { PerformanceSnapshot } from './wire.gen';

const URL_CHARS = 300;
const LOOPBACK = /^http:\/\/(localhost|127\.[\d.]+|\[::1\]|[^/:]+\.localhost)(?=[:/?#]|$)/i;
/** The elements that load something by themselves, and the attribute that says what. */
const LOADING =
  'script[src], img[src], link[rel~="stylesheet" i][href], iframe[src], video[src], audio[src], source[src], object[data]';

export function pageSafety(): Pick<PerformanceSnapshot, 'pageUrl' | 'insecureResources' | 'cookies'> {
  const insecureResources = location.protocol === 'https:' ? insecure() : [];
  const cookies = readableCookies();
  if (insecureResources.length === 0 && cookies.length === 0) return {};
  return {
    pageUrl: cut(location.href, URL_CHARS),
    ...(insecureResources.length > 0 && { insecureResources }),
    ...(cookies.length > 0 && { cookies }),
  };
}

/** As the page writes them: browsers load some over https all the same, and refuse others without a word to the page. */
function insecure(): Array<{ url: string; type: string }> {
  const found = new Map<string, string>();
  for (const element of document.querySelectorAll(LOADING)) {
    const address = element.getAttribute('src') ?? element.getAttribute('href') ?? element.getAttribute('data') ?? '';
    if (/^\s*http:/i.test(address)) found.set(address.trim(), element.localName);
  }
  for (const { name, initiatorType } of performance.getEntriesByType('resource') as PerformanceResourceTiming[]) {
    if (name.startsWith('http:') && !found.has(name)) found.set(name, initiatorType);
  }
  return Array.from(found, ([url, type]) => ({ url: cut(url, URL_CHARS), type }))
    .filter(({ url }) => !LOOPBACK.test(url))
    .slice(0, INSECURE_RESOURCES);
}

/** What a script can read is not HttpOnly. The other flags are not told. */
function readableCookies(): Array<{ name: string; httpOnly: boolean }> {
  return document.cookie
    .split(';')
    .map((pair) => (pair.includes('=') ? (pair.split('=')[0] ?? '') : '').trim())
    .filter((name) => name !== '')
    .slice(0, READABLE_COOKIES)
    .map((name) => ({ name: cut(name, 100), httpOnly: false }));
}
