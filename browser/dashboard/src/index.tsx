// The dashboard's entry point: shows the data to users with access, and instructions to everyone else.

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
    // Measures from the answer's text to the rendered page, charts included.
    requestAnimationFrame(() => setTimeout(() => performance.measure('drawn', 'answered')));
  });
  follow(model, () => lock('closed'));
}

void begin();
