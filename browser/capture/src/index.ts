// The capture core: wraps the page's functions at document start, collects events, and hands batches to a transport.

import { type Actions, installActions } from './actions';
import { createAnnotations } from './annotations';
import { installConsole } from './console';
import { type CaptureSettings, type Core, DEFAULT_SETTINGS, type Host } from './core';
import { Dedupe } from './dedupe';
import { installErrors } from './errors';
import { installEventSource } from './eventsource';
import { installFetch } from './fetch';
import { SETTLE_MILLIS } from './limits.gen';
import { attempt, clock, define, listen, ownProperty, randomId, remove, setTimer, whenIdle } from './natives';
import { hideWrappers, unpatchAll } from './patch';
import { Queue } from './queue';
import { createReactSnapshots } from './react-snapshot';
import type { Reduced, Transport } from './transport';
import { installJson } from './unread-json';
import { isWanted } from './wanted';
import { installWebSocket } from './websocket';
import { installXhr } from './xhr';

export type { CaptureEvent, CaptureSettings } from './core';
export type { Batch, Transport } from './transport';

/** Events wait this long to be sent together. */
const GATHER_MILLIS = 50;
/** Serializing events may take this much of one idle period. */
const DRAIN_MILLIS = 8;
/** A page whose `load` event never comes is treated as loaded after this time. */
const LOAD_PATIENCE_MILLIS = 5_000;
const IDLE_TIMEOUT_MILLIS = 500;
/** How clients of development servers begin their messages. */
const NEW_CODE = /^\[(vite|HMR|Fast)/;

export interface Capture {
  readonly pageId: string;
  /** The first call also allows batches to be sent. Until then they wait, unless the page goes away. */
  configure(settings: Partial<CaptureSettings>): void;
  flush(): void;
  /** Restores the page's own functions and ends capture. */
  stop(): void;
}

/** `more`: further kinds that the embedding script wants to capture in the page's world. */
export function startCapture(
  transport: Transport,
  version: string,
  initial: Partial<CaptureSettings> = {},
  more: Array<(host: Host) => void> = [],
): Capture {
  const pageId = randomId();
  let settings: CaptureSettings = { ...DEFAULT_SETTINGS, ...initial };
  let active = true;
  let configured = false;
  let settled = false;
  let entries = 0;
  let gathering = false;
  let urgentDue = false;
  let intercepts = { count: 0, millis: 0 };
  let reduced: Reduced | undefined;
  const queue = new Queue();
  /** Work that waits until the page is idle. */
  const waiting = new Set<() => void>();
  const run = (work: () => void) => {
    if (waiting.delete(work)) core.safely(work);
  };

  const core: Core = {
    get switches() {
      return settings;
    },
    get alive() {
      return active;
    },
    emit(event, options = {}) {
      if (!active) return;
      // After a code update, the same error is news, not a repeat.
      if (event.type === 'console' && NEW_CODE.test(event.message ?? '')) dedupe.flush();
      if (!dedupe.isFirst(event, options.finish)) return;
      queue.push(event, settings.queueShare, options.finish);
      if (options.urgent) urgent();
      else gather();
    },
    later(work) {
      waiting.add(work);
      if (settled) whenIdle(() => run(work), IDLE_TIMEOUT_MILLIS);
    },
    safely: attempt,
    intercept(work) {
      if (!active) return undefined;
      if (!settings.debug) return core.safely(work);
      const started = clock();
      const result = core.safely(work);
      intercepts.count++;
      intercepts.millis += clock() - started;
      return result;
    },
    tooSlow(what) {
      reduced ??= { bodies: 0, sockets: 0 };
      reduced[what]++;
    },
    id: () => `${pageId}-${(++entries).toString(36)}`,
    context: {
      annotations: () => annotations.current(),
      actions: () => actions?.recent ?? [],
      snapshotReact: (id) => reactSnapshots.note(id),
    },
  };
  const dedupe = new Dedupe((event, finish) => {
    queue.push(event, settings.queueShare, finish);
    gather();
  });

  function gather(): void {
    if (gathering || !configured || !settled) return;
    gathering = true;
    setTimer(
      () =>
        whenIdle(() => {
          gathering = false;
          if (send(false)) gather();
        }, IDLE_TIMEOUT_MILLIS),
      GATHER_MILLIS,
    );
  }

  /** Errors wait neither for load nor for idle time, only for the end of the current task. */
  function urgent(): void {
    if (!configured) return transport.hurry?.();
    if (urgentDue) return;
    urgentDue = true;
    setTimer(() => {
      urgentDue = false;
      // Everything captured before the error is sent with it: it may explain the error.
      for (const work of [...waiting]) run(work);
      if (send(true)) urgent();
    }, 0);
  }

  /** Returns whether more remains than this time slice could send. */
  function send(isUrgent: boolean, budget = DRAIN_MILLIS): boolean {
    if (!active) return false;
    const { events, dropped, more } = queue.drain(budget, (event) => !configured || isWanted(event, settings));
    if (events.length > 0 || dropped > 0) {
      transport.send({
        events,
        dropped,
        urgent: isUrgent,
        held: queue.held,
        reduced,
        ...(settings.debug && { intercepts }),
      });
      intercepts = { count: 0, millis: 0 };
      reduced = undefined;
    }
    relisten();
    return more;
  }

  const settle = () => {
    if (settled) return;
    settled = true;
    for (const work of waiting) core.later(work);
    gather();
  };
  hideWrappers();
  installConsole(core);
  const relistenErrors = installErrors(core);
  installFetch(core);
  core.safely(() => installJson(core));
  installXhr(core);
  installWebSocket(core);
  installEventSource(core);
  const reactSnapshots = createReactSnapshots(core, () => actions?.target() ?? [undefined, 0]);
  const annotations = createAnnotations(core, version, reactSnapshots.recall);
  const actions: Actions | undefined = core.safely(() => installActions(core));
  for (const install of more) install(core);
  define(window, '__gasoline', { value: annotations.api, configurable: true, enumerable: false });

  function relisten(): void {
    relistenErrors();
    actions?.listen();
  }

  const flushNow = () => {
    for (const work of [...waiting]) run(work);
    dedupe.flush();
    core.safely(() => send(true, Number.POSITIVE_INFINITY));
  };
  // Registered last, so that the other parts can emit their last events first.
  listen(window, 'pagehide', flushNow);
  listen(document, 'visibilitychange', () => {
    if (document.visibilityState === 'hidden' && configured) core.safely(() => send(false, Number.POSITIVE_INFINITY));
  });
  if (document.readyState === 'complete') settle();
  else {
    listen(window, 'load', () => {
      setTimer(settle, SETTLE_MILLIS);
    });
    setTimer(settle, LOAD_PATIENCE_MILLIS);
  }

  return {
    pageId,
    configure(changed) {
      settings = { ...settings, ...changed };
      const first = !configured;
      configured = true;
      if (!first || queue.size === 0) return;
      if (settled) gather();
      // An error may be waiting for the settings.
      urgent();
    },
    flush: flushNow,
    stop() {
      active = false;
      unpatchAll();
      if (ownProperty(window, '__gasoline')?.value === annotations.api) {
        remove(window, '__gasoline');
      }
    },
  };
}
