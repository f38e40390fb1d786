// What the site switch writes: the smallest change of the rules that captures a page, or no longer does.

import type { SiteReason } from '../shared/messages';
import { judge, type SiteRules } from '../shared/sites';

export interface SiteLists {
  sites: string[];
  blockedSites: string[];
}

export function switchedOn(address: string, rules: SiteRules): Partial<SiteLists> {
  const { host } = judge(address, rules);
  // Not only the exact entry: `example.com` blocks each of its ports, and the switch must do what it says.
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

/** A list that is kept no longer follows this copy's defaults, so one that did not change is not kept. */
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
  restricted: 'Chrome lets no extension see this page',
  own: 'Gasoline’s own page is never captured',
};
