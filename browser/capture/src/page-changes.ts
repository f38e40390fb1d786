// Detects whether the page changes after a user action. It observes the page only for a few seconds after each action,
// and only until the first change. Then a snapshot is due, after which observing resumes.

import type { Host } from './core';
import { clock, guarded, listen, setTimer } from './natives';

/** Most results of an action show within this time. */
const WATCHED_MILLIS = 3_000;
const ACTIONS = ['click', 'change', 'input', 'submit', 'keydown'];
const KEYS = new Set(['Enter', 'Escape', ' ']);

export interface PageChanges {
  /** Observes until the next change, if the last action is recent. */
  resume(): void;
}

/** `acts`: the user is about to do something; `changed`: the page changed after that. */
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

  /** Another action in the meantime extends the observation. */
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
