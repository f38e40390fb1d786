// Kinds of capture that need no wrapping: load times and what the page shows. They run in the page's world or beside
// it.

import type { Host } from './core';
import { installDomSnapshots } from './dom-snapshot';
import { listen, setTimer } from './natives';
import type { patch } from './patch';
import { installPerformance } from './performance';
import { watchRoutes } from './routes';

export interface Moments {
  onLoad(work: () => void): void;
  /** The address changed without a load. */
  onRoute(work: () => void): void;
}

/** `server`: where batches go if the page itself sends them. `wrap`: given in the page's own world. */
export function installObservers(host: Host, server = '', wrap?: typeof patch): void {
  const routes: Array<() => void> = [];
  const moments: Moments = {
    onLoad(work) {
      if (document.readyState === 'complete') setTimer(work, 0);
      else listen(window, 'load', () => void host.safely(work));
    },
    onRoute: (work) => void routes.push(work),
  };
  watchRoutes(
    host,
    () => {
      for (const work of routes) host.safely(work);
    },
    wrap,
  );
  host.safely(() => installDomSnapshots(host, moments));
  host.safely(() => installPerformance(host, moments, server));
}
