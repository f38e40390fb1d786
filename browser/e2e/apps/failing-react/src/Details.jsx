import { lazy, Suspense, useState } from 'react';
import { Broken } from './Broken.jsx';
import { History } from './History.jsx';

const Chart = lazy(() => import('./Chart.jsx'));

export function Details({ order }) {
  const [shown, setShown] = useState('');

  function inHandler() {
    const total = order.id * 2;
    throw new Error(`handler failed at ${total}`);
  }

  async function inPromise() {
    await new Promise((done) => setTimeout(done, 10));
    throw new Error('promise failed');
  }

  function inTimer() {
    setTimeout(() => {
      throw new Error('timer failed');
    }, 10);
  }

  return (
    <div>
      <button type="button" onClick={inHandler}>
        handler
      </button>
      <button type="button" onClick={() => setShown('effect')}>
        effect
      </button>
      <button type="button" onClick={inPromise}>
        promise
      </button>
      <button type="button" onClick={inTimer}>
        timer
      </button>
      <button type="button" onClick={() => setShown('render')}>
        render
      </button>
      <button type="button" onClick={() => setShown('chunk')}>
        chunk
      </button>
      {shown === 'render' && <Broken order={order} />}
      {shown === 'effect' && <History order={order} />}
      <Suspense fallback="loading">{shown === 'chunk' && <Chart order={order} />}</Suspense>
    </div>
  );
}
