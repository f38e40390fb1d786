// What the site switch writes: the smallest change of the rules that turns capture of a page on or off.

import type { SiteReason } from '../shared/messages';
import { judge, type SiteRules } from '../shared/sites';

export interface SiteLists {
  sites: string[];
  blockedSites: string[];
}

export function switchedOn(address: string, rules: SiteRules): Partial<SiteLists> {
  const { host } = judge(address, rules);
  // Remove every entry that covers the page: `example.com` blocks each of its ports, too.
  const blockedSites = rules.blockedSites.filter((site) => !covers(site, address));
  const sites = [...rules.sites];
  if (!judge(address, { sites, blockedSites }).captured) sites.push(host);
  return onlyChanged(rules, { sites, blockedSites });
}

export function switchedOff(address: string, rules: SiteRules): Partial<SiteLists> {
  const { host } = judge(address, rules);
  const sites = rules.sites.filter((site) => site !== host);
  const blockedSites = [...rules.blockedSites];
  if (judge(address, { sites, blockedSites }).captured) blockedSites.push(host);
  return onlyChanged(rules, { sites, blockedSites });
}

/** Once stored, a list no longer follows this copy's defaults, so an unchanged list is not stored. */
export function onlyChanged(before: SiteRules, after: SiteLists): Partial<SiteLists> {
  const same = (list: keyof SiteLists) => before[list].join() === after[list].join();
  return {
    ...(same('sites') ? {} : { sites: after.sites }),
    ...(same('blockedSites') ? {} : { blockedSites: after.blockedSites }),
  };
}

function covers(site: string, address: string): boolean {
  return judge(address, { sites: [], blockedSites: [site] }).reason === 'blocked';
}

export const REASONS: Record<SiteReason, string> = {
  local: 'On: a development host',
  all: 'On: all sites are captured',
  listed: 'On: in your list of sites',
  blocked: 'Off: you switched this site off',
  'not-listed': 'Off: not in your list of sites',
  restricted: 'Chrome does not let extensions see this page',
  own: 'Gasoline’s own pages are never captured',
};
