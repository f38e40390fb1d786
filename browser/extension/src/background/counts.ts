// What was captured in each tab, for the popup and the badge.

import type { TabCounts } from '../shared/messages';

export const NO_COUNTS: TabCounts = {
  errors: 0,
  warnings: 0,
  logs: 0,
  requests: 0,
  failedRequests: 0,
  websocket: 0,
  actions: 0,
};

/** The fields of an event that matter here. */
export interface EventFacts {
  type: string;
  level?: string;
  source?: string;
  status?: number;
  event?: string;
  count?: number;
}

export function count(counts: TabCounts, event: EventFacts): void {
  switch (event.type) {
    case 'console':
    case 'error':
      // A failed request is counted with the requests.
      if (event.source === 'network') break;
      if (event.level === 'error') counts.errors += event.count ?? 1;
      else if (event.level === 'warn') counts.warnings += event.count ?? 1;
      else counts.logs++;
      break;
    case 'network':
      counts.requests++;
      if (event.status !== undefined && (event.status === 0 || event.status >= 400)) counts.failedRequests++;
      break;
    case 'websocket':
      if (event.event !== 'stats') counts.websocket++;
      break;
    case 'action':
      counts.actions++;
  }
}
