// The dashboard's beginning: whoever may read gets the data, everyone else is told how.

import './style.css';
import { render } from 'preact';
import { App } from './app';
import { follow } from './live';
import { Locked, type Why } from './locked';
import { Model } from './model';
import { openWithKey, Refused } from './session';

const root = document.getElementById('app') as HTMLElement;

const lock = (why: Why) => render(<Locked why={why} />, root);

async function begin(): Promise<void> {
  try {
    await openWithKey();
  } catch (error) {
    return lock(error instanceof Refused ? 'used' : 'away');
  }
  const model = new Model();
  let shown = false;
  const stop = model.subscribe(() => {
    if (shown || !model.mark) return;
    shown = true;
    stop();
    render(<App model={model} />, root);
    // From the answer's text to what one sees, charts and all.
    requestAnimationFrame(() => setTimeout(() => performance.measure('drawn', 'answered')));
  });
  follow(model, () => lock('closed'));
}

void begin();
