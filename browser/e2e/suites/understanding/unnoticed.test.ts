// Reading components and state runs no code of the page and leaves nothing behind.

import { bundle } from '../../support/bundle';
import { explained } from '../../support/explained';
import { Site } from '../../support/site';
import { expect, test } from '../../support/test';

const PAGE = `
  import { createElement } from 'react';
  import { createRoot } from 'react-dom/client';

  const noticed = (window.noticed = []);
  const trap = (object, name, where) =>
    Object.defineProperty(object, name, { enumerable: true, configurable: true, get: () => void noticed.push(where) });

  // Getters wherever we look.
  trap(window, 'aStore', 'window');
  const state = trap({ status: 1, inner: trap({}, 'error', 'inner state') }, 'error', 'state');
  window.store = { getState: () => state, dispatch() {}, subscribe: () => () => {} };
  trap(window.store, 'setState', 'store');

  function Details(props) {
    const fail = () => { throw new Error('inner failed'); };
    return createElement('button', { onClick: fail }, 'fail');
  }
  trap(Details, 'displayName', 'type');
  const props = trap({ order: 7 }, 'secret', 'props');
  const element = createElement(Details, {});
  const App = () => ({ ...element, props });
  createRoot(document.getElementById('app')).render(createElement(App));

  // What else could be seen.
  window.start = () => {
    noticed.length = 0;
    for (const type of ['message', 'error']) addEventListener(type, (event) => type === 'message' && noticed.push(type));
    for (const name of ['log', 'warn', 'error', 'debug']) console[name] = () => noticed.push(name);
    new MutationObserver(() => noticed.push('document')).observe(document, { subtree: true, childList: true, attributes: true });
    const names = () => Object.getOwnPropertyNames(window).sort().join();
    const before = names();
    window.changes = () => (names() === before ? noticed : [...noticed, 'names']);
    new PerformanceObserver((list) => noticed.push(...list.getEntries().map(({ name }) => name))).observe({ type: 'resource' });
  };
`;

test('a page that watches everything notices nothing', async ({ page, gasoline, agent, settings }) => {
  await settings({ aiContextStateSnapshot: true });
  const app = await bundle(PAGE, { mode: 'development' });
  const site = await Site.open(app.folder);
  const fail = async () => {
    await page.goto(site.url('/index.html'));
    await page.evaluate('window.changes = null; window.start()');
    await page.getByRole('button').click();
  };
  const answer = await explained({ gasoline, agent }, fail, (answer) => {
    const context = answer.errors[0]?._aiContext;
    return context?.componentAncestry && context.stateSnapshot && context.sourceSnippets;
  });
  const { componentAncestry, stateSnapshot } = answer.errors[0]._aiContext;
  expect(componentAncestry.components.map(({ name }: { name: string }) => name)).toEqual(['App', 'Details']);
  expect(componentAncestry.components[1].propKeys).toEqual(['order', 'secret']);
  expect(stateSnapshot.relevantSlice.status).toBe(1);
  expect(await page.evaluate('window.changes()')).toEqual([]);
  expect(await page.evaluate('Object.keys(window.__gasoline)')).toEqual([
    'version',
    'annotate',
    'removeAnnotation',
    'clearAnnotations',
    'getAnnotations',
  ]);
  await site.close();
  app.remove();
});
