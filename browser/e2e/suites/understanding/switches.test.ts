// Each switch of the context: on means on, off means off, and off means that nothing is fetched or read either.

import type { Answer } from '../../support/agent';
import { type Bundle, bundle } from '../../support/bundle';
import { Site } from '../../support/site';
import { test as base, expect } from '../../support/test';

const APP = `
  import { createRoot } from 'react-dom/client';
  import { App } from './failing-react/src/App.jsx';
  const state = { login: { loading: false, error: 'Request failed', attempts: 2 } };
  window.store = { getState: () => state, dispatch() {}, subscribe: () => () => {} };
  createRoot(document.getElementById('app')).render(<App theme="dark" />);
`;

let app: Bundle;
base.beforeAll(async () => {
  app = await bundle(APP, { mode: 'development' });
});
base.afterAll(() => app.remove());

const test = base.extend<{ fail: (way?: string) => Promise<{ context: Answer | undefined; fetched: string[] }> }>({
  fail: async ({ page, eventually, agent }, use) => {
    const site = await Site.open(app.folder);
    await use(async (way = 'handler') => {
      await page.goto(site.url('/index.html'));
      site.requests.length = 0;
      await page.getByRole('button', { name: way }).click();
      const isIt = (error: Answer) => error.message.includes(`${way} failed`);
      await eventually('get_browser_errors', {}, (answer) => answer.errors.some(isIt));
      // Whatever comes comes within this time; a machine that is busy may need a while.
      await page.waitForTimeout(1_500);
      const { errors } = await agent.call('get_browser_errors');
      return { context: errors.find(isIt)._aiContext, fetched: [...site.requests] };
    });
    await site.close();
  },
});

test('as it is delivered: source and components, no state', async ({ fail }) => {
  const { context, fetched } = await fail();
  expect(context?.sourceSnippets[0].file).toContain('src/Details.jsx');
  expect(context?.componentAncestry.components.map((one: Answer) => one.name)).toEqual(['App', 'Panel', 'Details']);
  expect(context?.stateSnapshot).toBeUndefined();
  // Once for the map and for the search for the component.
  expect(fetched).toEqual(['/main.js']);
});

test('all of it off', async ({ page, fail, settings }) => {
  await settings({ aiContextEnabled: false, aiContextStateSnapshot: true });
  const { context, fetched } = await fail();
  expect(context).toBeUndefined();
  expect(fetched).toEqual([]);
  expect(await isEnriched(page)).toBe(false);
});

test('no source code: components by their names, and no script is fetched', async ({ fail, settings }) => {
  await settings({ aiContextSourceSnippets: false });
  const { context, fetched } = await fail();
  expect(context?.sourceSnippets).toBeUndefined();
  expect(context?.componentAncestry.components.map((one: Answer) => one.name)).toEqual(['App', 'Panel', 'Details']);
  expect(fetched).toEqual([]);
});

test('no components: the page is not looked at', async ({ page, fail, settings }) => {
  await settings({ aiContextComponentTree: false });
  const { context } = await fail();
  expect(context?.sourceSnippets[0].file).toContain('src/Details.jsx');
  expect(context?.componentAncestry).toBeUndefined();
  expect(await isEnriched(page)).toBe(false);
});

test('with state', async ({ fail, settings }) => {
  await settings({ aiContextStateSnapshot: true });
  const { context } = await fail();
  expect(context?.stateSnapshot).toEqual({
    source: 'redux',
    keys: { login: { type: 'object', keys: ['loading', 'error', 'attempts'] } },
    relevantSlice: { 'login.loading': false, 'login.error': 'Request failed' },
  });
  expect(context?.summary).toContain('Request failed');
});

/** Whether our script that reads components is in the page. */
function isEnriched(page: { evaluate<T>(work: () => T): Promise<T> }): Promise<boolean> {
  return page.evaluate(() => {
    const { recall } = (window as unknown as { __gasoline: { recall: object } }).__gasoline;
    return Object.hasOwn(recall, 'enrich');
  });
}
