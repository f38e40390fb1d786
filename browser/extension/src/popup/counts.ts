// What was captured on this page so far.

import type { TabCounts } from '../shared/messages';
import { hook, setText, show } from './elements';

const HOOKS: Record<keyof TabCounts, string> = {
  errors: 'count-errors',
  warnings: 'count-warnings',
  logs: 'count-logs',
  requests: 'count-requests',
  failedRequests: 'count-failed-requests',
  websocket: 'count-websocket',
  actions: 'count-actions',
};

/** The counts change each second. Screen readers announce only new errors, and at most this often. */
const SPOKEN_GAP_MILLIS = 10_000;

let spoken = { trouble: 0, at: 0 };

export function showCounts(counts: TabCounts): void {
  for (const key of Object.keys(HOOKS) as (keyof TabCounts)[]) {
    const element = hook(HOOKS[key]);
    setText(element, short(counts[key]));
    element.title = counts[key].toLocaleString('en');
    if (key !== 'failedRequests') element.closest('div')?.toggleAttribute('data-zero', counts[key] === 0);
  }
  show(hook('failed'), counts.failedRequests > 0);

  const trouble = counts.errors + counts.failedRequests;
  const quiet = trouble > spoken.trouble && Date.now() - spoken.at < SPOKEN_GAP_MILLIS;
  if (quiet) return;
  if (trouble > spoken.trouble) {
    setText(
      hook('counts-spoken'),
      `${plural(counts.errors, 'error')}, ${plural(counts.failedRequests, 'failed request')} on this page`,
    );
    spoken = { trouble, at: Date.now() };
  } else {
    // After a clear or a navigation, the next error is announced again.
    spoken.trouble = trouble;
  }
}

export function short(count: number): string {
  return count < 10_000 ? String(count) : count.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 });
}

export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
