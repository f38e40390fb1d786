// The line to the server: the whole picture first, then news. A tab that nobody sees hangs up; browsers allow few lines
// to one host, and news that nobody reads cost the server something.

import type { Model } from './model';
import { address, ask, Refused } from './session';
import type { News } from './types';

const RETRY_MILLIS = 1_500;

export function follow(model: Model, onRefused: () => void): void {
  let source: EventSource | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  const hangUp = () => {
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
    try {
      if (!model.mark) model.take(await ask<News>('picture'));
      // Asking again tells whether we may still read; a stream that is refused does not say why.
      else if (model.line === 'lost') await ask<News>('picture').then((news) => model.take(news));
    } catch (error) {
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
