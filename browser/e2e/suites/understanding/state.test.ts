// The state of an application, from the stores that contain it.

import type { Answer } from '../../support/agent';
import { bundle } from '../../support/bundle';
import { explained, failUntil } from '../../support/explained';
import { Site } from '../../support/site';
import { expect, test } from '../../support/test';

const FAIL = "<button onClick={() => { throw new Error('cart failed'); }}>fail</button>";

const PAGES: Record<string, { code: string; state: Answer }> = {
  'Redux, found only through react-redux': {
    code: `
      import { createRoot } from 'react-dom/client';
      import { Provider } from 'react-redux';
      import { legacy_createStore } from 'redux';
      const store = legacy_createStore((state = { cart: { items: [], total: 3 }, ui: { theme: 'dark' } }) => state);
      createRoot(document.getElementById('app')).render(<Provider store={store}>${FAIL}</Provider>);`,
    state: {
      source: 'redux',
      keys: { cart: { type: 'object', keys: ['items', 'total'] }, ui: { type: 'object', keys: ['theme'] } },
      relevantSlice: { 'cart.items': '[array of 0]', 'cart.total': 3 },
    },
  },
  'Zustand, on the window': {
    code: `
      import { createRoot } from 'react-dom/client';
      import { create } from 'zustand';
      window.useCart = create(() => ({ cart: { total: 3 }, password: 'hunter2', status: 'idle', add() {} }));
      createRoot(document.getElementById('app')).render(${FAIL});`,
    state: {
      source: 'zustand',
      keys: { cart: { type: 'object', keys: ['total'] }, password: { type: 'string' }, status: { type: 'string' } },
      relevantSlice: { status: 'idle', 'cart.total': 3 },
    },
  },
  'Pinia, found only through its application': {
    code: `
      import { createApp, h, ref } from 'vue';
      import { createPinia, defineStore } from 'pinia';
      const useCart = defineStore('cart', () => ({ total: ref(3), error: ref(null) }));
      const fail = () => { throw new Error('cart failed'); };
      createApp({ setup() { useCart(); return () => h('button', { onClick: fail }, 'fail'); } })
        .use(createPinia()).mount('#app');`,
    state: {
      source: 'pinia',
      keys: { cart: { type: 'object', keys: ['total', 'error'] } },
      relevantSlice: { 'cart.error': null, 'cart.total': 3 },
    },
  },
  'Svelte stores, where a page exposes them': {
    code: `
      import { writable } from 'svelte/store';
      window.__svelte_stores = { cart: writable({ total: 3 }) };
      const button = document.createElement('button');
      button.textContent = 'fail';
      button.onclick = () => { throw new Error('cart failed'); };
      document.getElementById('app').append(button);`,
    state: {
      source: 'svelte',
      keys: { cart: { type: 'object', keys: ['total'] } },
      relevantSlice: { 'cart.total': 3 },
    },
  },
};

for (const [name, { code, state }] of Object.entries(PAGES)) {
  test(`the state is read from ${name}`, async ({ page, gasoline, agent, settings }) => {
    await settings({ aiContextStateSnapshot: true });
    const app = await bundle(code, { mode: 'production' });
    const site = await Site.open(app.folder);
    const fail = async () => {
      await page.goto(site.url('/index.html'));
      await page.getByRole('button').click();
    };
    const snapshotOf = (answer: Answer) => answer.errors[0]?._aiContext?.stateSnapshot;
    const answer = await explained({ gasoline, agent }, fail, snapshotOf);
    expect(snapshotOf(answer)).toEqual(state);
    await site.close();
    app.remove();
  });
}

test('recent changes of the state are relevant', async ({ page, agent, settings }) => {
  await settings({ aiContextStateSnapshot: true });
  const app = await bundle(
    `
      import { legacy_createStore } from 'redux';
      const store = (window.store = legacy_createStore((state = { cart: { total: 0 }, ui: { theme: 'dark' } }, { type }) =>
        type === 'add' ? { ...state, cart: { total: state.cart.total + 1 } } : state));
      window.fail = (message) => setTimeout(() => { throw new Error(message); });`,
    { mode: 'production' },
  );
  const site = await Site.open(app.folder);
  await page.goto(site.url('/index.html'));
  const sliceOf = (answer: Answer, message: string) =>
    answer.errors.find((error: Answer) => error.message === message)?._aiContext?.stateSnapshot?.relevantSlice;
  const told = () => agent.call('get_browser_errors');
  let latest = '';
  const fail = (message: string, before = '') => {
    latest = message;
    return page.evaluate(`${before}; fail('${message}')`);
  };
  // The first error brings our script into the page.
  let failures = 0;
  const first = await failUntil(
    () => fail(`failure ${++failures}`),
    told,
    (answer) => sliceOf(answer, latest),
  );
  expect(sliceOf(first, latest)).toEqual({});
  // A change more than two seconds before the snapshot does not count as recent: a machine that stalls gets another
  // change.
  let changes = 0;
  const changed = await failUntil(
    () => fail(`change ${++changes}`, "store.dispatch({ type: 'add' })"),
    told,
    (answer) => Object.keys(sliceOf(answer, latest) ?? {}).length > 0,
  );
  expect(sliceOf(changed, latest)).toEqual({ 'cart.total': changes });
  await site.close();
  app.remove();
});
