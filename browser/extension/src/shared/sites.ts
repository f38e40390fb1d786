// Decides which pages are captured: a pure function of the settings, with the same rules as Chrome match patterns.

import type { SiteReason } from './messages';

export interface SiteRules {
  sites: readonly string[];
  blockedSites: readonly string[];
  /** Our own server's address. Its dashboard shows what is captured, so capturing the dashboard would never end. */
  server?: string;
}

/** The development hosts that Chrome's match patterns can express. Private addresses are checked by our own code. */
const LOCAL_HOSTS = ['localhost', '*.localhost', '127.0.0.1', '[::1]', '*.local', '*.test'];

export function judge(address: string, rules: SiteRules): { host: string; captured: boolean; reason: SiteReason } {
  const url = parse(address);
  if (!url || isStore(url)) return { host: url?.host ?? '', captured: false, reason: 'restricted' };
  const { host } = url;
  const verdict = (captured: boolean, reason: SiteReason) => ({ host, captured, reason });
  if (rules.server?.endsWith(`:${url.port}`) && isLoopback(url.hostname)) return verdict(false, 'own');
  if (rules.blockedSites.some((site) => matches(site, url))) return verdict(false, 'blocked');
  if (rules.sites.some((site) => site !== 'all' && site !== 'local' && matches(site, url))) {
    return verdict(true, 'listed');
  }
  if (rules.sites.includes('local') && isLocal(url.hostname)) return verdict(true, 'local');
  if (rules.sites.includes('all')) return verdict(true, 'all');
  return verdict(false, 'not-listed');
}

/** Normalizes a site that the user wrote, or says why it is not valid. */
export function checkSite(text: string): { site: string } | { problem: string } {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === 'all' || trimmed === 'local') return { site: trimmed };
  const site = trimmed.replace(/^(https?|\*):\/\//, '').replace(/\/\*?$/, '');
  const found = /^(?:(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/.exec(site);
  const port = Number(found?.[1] ?? 1);
  if (found && port > 0 && port < 65_536 && isMatchable(site)) return { site };
  return { problem: 'Write a host such as app.example.com, *.example.com or localhost:3000, without a path.' };
}

/** Match patterns for `chrome.scripting`: where the scripts are injected at document start. */
export function matchPatterns(rules: SiteRules): { matches: string[]; excludeMatches: string[] } {
  const wanted = rules.sites.filter(isMatchable).flatMap((site) => {
    if (site === 'all') return ['http://*/*', 'https://*/*'];
    return (site === 'local' ? LOCAL_HOSTS : [site]).flatMap(patterns);
  });
  const [port] = /(?<=:)\d+$/.exec(rules.server ?? '') ?? [];
  // The names under which our server answers.
  const own = port ? ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${port}`) : [];
  const unwanted = [...own, ...rules.blockedSites].filter(isMatchable).flatMap(patterns);
  return { matches: [...new Set(wanted)], excludeMatches: [...new Set(unwanted)] };
}

/** Whether Chrome accepts it: a single invalid pattern would keep all others from being registered. */
function isMatchable(site: string): boolean {
  const host = site.replace(/:\*$/, '').replace(/^\*(?=$|:)|^\*\./, 'x.');
  try {
    return !/[*/?#@\s\\]/.test(host) && new URL(`http://${host}/`).hostname !== '';
  } catch {
    return false;
  }
}

function patterns(site: string): string[] {
  return [`http://${site}/*`, `https://${site}/*`];
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}

export function isLocal(hostname: string): boolean {
  return (
    isLoopback(hostname) ||
    /.\.(localhost|local|test)$/.test(hostname) ||
    /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)[\d.]+$/.test(hostname) ||
    /^\[(f[cd]|fe[89ab])[0-9a-f]{0,2}:/.test(hostname)
  );
}

function matches(site: string, url: URL): boolean {
  const [, pattern, port] = /^(\[.*\]|[^:]*)(?::(\d+|\*))?$/.exec(site) ?? [];
  if (pattern === undefined) return false;
  if (port !== undefined && port !== '*' && port !== (url.port || (url.protocol === 'https:' ? '443' : '80')))
    return false;
  if (pattern === '*') return true;
  if (!pattern.startsWith('*.')) return pattern === url.hostname;
  const parent = pattern.slice(2);
  return url.hostname === parent || url.hostname.endsWith(`.${parent}`);
}

function parse(address: string): URL | null {
  try {
    const url = new URL(address);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
  } catch {
    return null;
  }
}

/** Pages on which Chrome does not run extensions. */
function isStore(url: URL): boolean {
  return url.hostname === 'chromewebstore.google.com' || url.href.startsWith('https://chrome.google.com/webstore');
}
