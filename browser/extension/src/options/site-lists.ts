// What the lists of sites write. A site is in at most one of the two lists: adding it to one removes it from the other.

import { onlyChanged, type SiteLists } from '../popup/site-rules';
import { checkSite } from '../shared/sites';

export type List = keyof SiteLists;

const GROUPS = ['local', 'all'];

export function addTo(list: List, site: string, now: SiteLists): Partial<SiteLists> {
  const sites = now.sites.filter((other) => other !== site);
  const blockedSites = now.blockedSites.filter((other) => other !== site);
  (list === 'sites' ? sites : blockedSites).push(site);
  return onlyChanged(now, { sites, blockedSites });
}

export function removeFrom(list: List, site: string, now: SiteLists): Partial<SiteLists> {
  return { [list]: now[list].filter((other) => other !== site) };
}

/** The hosts of a list, without the groups, which have their own switches. */
export function hostsOf(list: List, now: SiteLists): string[] {
  return list === 'sites' ? now.sites.filter((site) => !GROUPS.includes(site)) : now.blockedSites;
}

export function checkNew(list: List, text: string, now: SiteLists): { site: string } | { problem: string } {
  const checked = checkSite(text);
  if ('problem' in checked) return checked;
  if (GROUPS.includes(checked.site)) return { problem: 'Use the switch above for this.' };
  if (now[list].includes(checked.site)) return { problem: `${checked.site} is already in this list.` };
  return checked;
}
