// Address changes without a load.

import type { Host } from './core';
import { listen } from './natives';
import type { patch } from './patch';

/**
 * The Navigation API reports them without any wrapping. Where it is missing, `history` has to be wrapped, in the page's
 * own world, which passes `wrap`. The content script, in Chrome, needs neither.
 */
export function watchRoutes(host: Host, changed: (from: string, to: string) => void, wrap?: typeof patch): void {
  let here = location.href;
  const check = () => {
    const from = here;
    here = location.href;
    if (host.alive && here !== from) host.safely(() => changed(from, here));
  };
  const { navigation } = window as { navigation?: EventTarget };
  if (navigation) {
    listen(navigation, 'currententrychange', check);
    return;
  }
  listen(window, 'popstate', check);
  listen(window, 'hashchange', check);
  for (const name of ['pushState', 'replaceState']) {
    wrap?.(History.prototype, name, { returned: check });
  }
}
