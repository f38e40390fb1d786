// Whether the page changes after what the user did. It is watched only for a moment after each action, and only until
// its first change: then a snapshot is due, and watching goes on when that is taken.

import type { Host } from './core';
import { clock, guarded, listen, setTimer } from './natives';

/** What an action leads to mostly shows within this time. */
const WATCHED_MILLIS = 3_000;
const ACTIONS = ['click', 'change', 'input', 'submit', 'keydown'];
const KEYS = new Set(['Enter', 'Escape', ' ']);

export interface PageChanges {
  /** Watches for the next change, if an action was not long ago. */
  resume(): void;
}

/** `acts`: the user is about to do something; `changed`: the page changed after it. */
export function watchPageChanges(host: Host, acts: () => void, changed: () => void): PageChanges {
  let until = 0;
  let watching = false;
  const observer = new MutationObserver(
    guarded(() => {
      stop();
      if (host.alive) changed();
    }),
  );

  function stop(): void {
    watching = false;
    observer.disconnect();
  }

  function resume(): void {
    if (watching || clock() >= until) return;
    watching = true;
    observer.observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['class', 'hidden', 'open', 'style'],
    });
    end();
  }

  /** Another action meanwhile makes it watch longer. */
  function end(): void {
    setTimer(() => {
      if (!watching) return;
      if (clock() < until) end();
      else stop();
    }, until - clock());
  }

  const onAction = (event: Event) => {
    if (!host.alive || (event instanceof KeyboardEvent && !KEYS.has(event.key))) return;
    host.safely(() => {
      acts();
      until = clock() + WATCHED_MILLIS;
      resume();
    });
  };
  for (const type of ACTIONS) listen(window, type, onAction, true);
  return { resume };
}
