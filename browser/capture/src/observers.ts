// What needs no wrapping: load times and what the page shows. It can run beside the page's world as well as in it.

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

/** `server`: where batches go, if they leave from the page itself. `wrap`: in the page's own world. */
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
