// Which component an error belongs to in less obvious cases: boundaries, wrappers, several instances, no stack.

import type { Answer } from '../../support/agent';
import { bundle } from '../../support/bundle';
import { explained } from '../../support/explained';
import { Site } from '../../support/site';
import { expect, test } from '../../support/test';

interface Case {
  code: string;
  act: string;
  message: string;
  names: string[];
}

const RENDER = "createRoot(document.getElementById('app')).render(<Application />);";

const CASES: Record<string, Case> = {
  'an error that a boundary catches': {
    code: `
      import { Component, useState } from 'react';
      import { createRoot } from 'react-dom/client';
      class Boundary extends Component {
        state = { failed: false };
        static getDerivedStateFromError() { return { failed: true }; }
        render() { return this.state.failed ? <p>sorry</p> : this.props.children; }
      }
      function Invoice({ wanted }) { if (wanted) throw new Error('caught'); return <i>none</i>; }
      function Orders() {
        const [wanted, setWanted] = useState(false);
        return <section><button onClick={() => setWanted(true)}>act</button><Invoice wanted={wanted} /></section>;
      }
      function Application() { return <main><Boundary><Orders /></Boundary></main>; }
      ${RENDER}`,
    act: 'act',
    message: 'caught',
    names: ['Application', 'Boundary', 'Orders', 'Invoice'],
  },
  'wrappers, and one of several instances that was clicked': {
    code: `
      import { createContext, forwardRef, memo } from 'react';
      import { createRoot } from 'react-dom/client';
      const Theme = createContext('light');
      const Field = memo(forwardRef(function Labelled({ label }, ref) {
        return <button ref={ref} onClick={() => { throw new Error('wrapped'); }}>{label}</button>;
      }));
      const Left = () => <div><Field label="left" /></div>;
      const Right = () => <div><Theme.Provider value="dark"><Field label="right" /></Theme.Provider></div>;
      function Application() { return <main><Left /><Right /></main>; }
      ${RENDER}`,
    act: 'right',
    message: 'wrapped',
    names: ['Application', 'Right', 'Labelled'],
  },
  'a helper function that a component calls': {
    code: `
      import { createRoot } from 'react-dom/client';
      const parse = (text) => { throw new Error('helper'); };
      const load = (text) => parse(text);
      function Import() { return <button onClick={() => load('x')}>act</button>; }
      function Application() { return <main><Import /></main>; }
      ${RENDER}`,
    act: 'act',
    message: 'helper',
    names: ['Application', 'Import'],
  },
  'no component in the stack, but a click just before': {
    code: `
      import { createRoot } from 'react-dom/client';
      document.addEventListener('click', () => { throw new Error('elsewhere'); });
      function Toolbar() { return <button>act</button>; }
      function Application() { return <main><Toolbar /></main>; }
      ${RENDER}`,
    act: 'act',
    message: 'elsewhere',
    names: ['Application', 'Toolbar'],
  },
  'Angular, through its debugging functions': {
    code: `
      class AppComponent { title = 'shop'; }
      class _CartComponent { items = []; }
      const app = document.getElementById('app');
      app.innerHTML = '<app-root><app-cart><button>act</button></app-cart></app-root>';
      const components = new Map([[app.firstChild, new AppComponent()], [app.firstChild.firstChild, new _CartComponent()]]);
      window.ng = { getComponent: (element) => components.get(element) ?? null };
      app.querySelector('button').onclick = () => { throw new Error('angular'); };`,
    act: 'act',
    message: 'angular',
    names: ['AppComponent', 'CartComponent'],
  },
};

for (const [name, { code, act, message, names }] of Object.entries(CASES)) {
  for (const mode of ['development', 'production'] as const) {
    // Angular exposes nothing about itself in production.
    if (mode === 'production' && message === 'angular') continue;
    test(`the right component is named: ${name}, in ${mode}`, async ({ page, gasoline, agent }) => {
      const app = await bundle(code, { mode });
      const site = await Site.open(app.folder);
      const fail = async () => {
        await page.goto(site.url('/index.html'));
        await page.getByRole('button', { name: act }).click();
      };
      const ancestryOf = (answer: Answer) => {
        const error = answer.errors.find((error: Answer) => error.message.includes(message));
        const ancestry = error?._aiContext?.componentAncestry;
        return ancestry?.from ? undefined : ancestry;
      };
      const answer = await explained({ gasoline, agent }, fail, ancestryOf);
      expect(ancestryOf(answer).components.map((component: Answer) => component.name)).toEqual(names);
      await site.close();
      app.remove();
    });
  }
}
