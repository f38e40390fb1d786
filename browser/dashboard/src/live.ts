// The connection to the server: a full snapshot first, then differences. A hidden tab disconnects, because browsers
// allow few connections to one host, and updates cost the server time.

import type { News } from './messages.gen';
import type { Model } from './model';
import { address, ask, Refused } from './session';

const RETRY_MILLIS = 1_500;

export function follow(model: Model, onRefused: () => void): void {
  let source: EventSource | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  /** The latest attempt to connect. Earlier ones that still wait for an answer are ignored. */
  let lastTry = {};

  const hangUp = () => {
    lastTry = {};
    source?.close();
    source = undefined;
    clearTimeout(waiting);
    waiting = undefined;
  };

  const retry = () => {
    hangUp();
    model.setLine('lost');
    waiting = setTimeout(() => void connect(), RETRY_MILLIS);
  };

  const connect = async () => {
    hangUp();
    const thisTry = lastTry;
    try {
      // A rejected stream does not say why, so request the snapshot again to see whether we still have access.
      if (!model.mark || model.line === 'lost') {
        const state = await ask<News>('state');
        if (thisTry !== lastTry) return;
        model.take(state);
      }
    } catch (error) {
      if (thisTry !== lastTry) return;
      if (error instanceof Refused) return onRefused();
      return retry();
    }
    if (document.hidden) return;
    source = new EventSource(`${address('live')}?after=${encodeURIComponent(model.mark)}`);
    source.onopen = () => model.setLine('live');
    source.onerror = retry;
    source.addEventListener('news', ({ data }: MessageEvent<string>) => {
      model.take(JSON.parse(data) as News);
      model.setLine('live');
    });
  };

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) hangUp();
    else void connect();
  });
  setInterval(() => model.second(), 1_000);
  void connect();
}
