// Announces new errors and a lost connection to screen readers, at most once every few seconds.

import { useEffect, useRef, useState } from 'preact/hooks';
import { plural } from './format';
import type { Model } from './model';

const PAUSE_MILLIS = 5_000;

const errorsOf = ({ rows }: Model) => rows.reduce((last, { k, c }) => (k === 'error' ? Math.max(last, c) : last), 0);

export function Announcer({ model }: { model: Model }) {
  const [text, setText] = useState('');
  const told = useRef(errorsOf(model));
  useEffect(() => {
    const timer = setInterval(() => {
      const news = model.rows.filter(({ k, c }) => k === 'error' && c > told.current).length;
      if (news === 0) return;
      told.current = errorsOf(model);
      setText(`${plural(news, 'new error')}.`);
    }, PAUSE_MILLIS);
    return () => clearInterval(timer);
  }, [model]);
  return (
    <div class="unseen" role="status" data-test="announcer">
      {model.line === 'lost' ? 'The server is not reachable. Retrying.' : text}
    </div>
  );
}
