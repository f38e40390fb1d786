// Each switch of the context: on means on, off means off, and off also means that nothing is fetched or read.

import type { Answer } from '../../support/agent';
import { type Bundle, bundle } from '../../support/bundle';
import { explained } from '../../support/explained';
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

interface Told {
  context: Answer | undefined;
  fetched: string[];
}

const test = base.extend<{
  /** Fails, waits until these parts of the context are there, and a little longer for parts that should not come. */
  fail(...awaited: string[]): Promise<Told>;
}>({
  fail: async ({ page, gasoline, agent }, use) => {
    const site = await Site.open(app.folder);
    await use(async (...awaited) => {
      const press = async () => {
        await page.goto(site.url('/index.html'));
        site.requests.length = 0;
        await page.getByRole('button', { name: 'handler' }).click();
      };
      const find = ({ errors }: Answer) => errors.find((error: Answer) => error.message.includes('handler failed'));
      // Until the page has been read, the server guesses from the stack.
      const isThere = (part?: Answer) => part && !part.from;
      await explained({ gasoline, agent }, press, (answer) => {
        const error = find(answer);
        return error && awaited.every((part) => isThere(error._aiContext?.[part]));
      });
      await page.waitForTimeout(1_500);
      return { context: find(await agent.call('get_browser_errors'))._aiContext, fetched: [...site.requests] };
    });
    await site.close();
  },
});

test('by default an error has its source and components, but no state', async ({ fail }) => {
  const { context, fetched } = await fail('sourceSnippets', 'componentAncestry');
  expect(context?.sourceSnippets[0].file).toContain('src/Details.jsx');
  expect(context?.componentAncestry.components.map((one: Answer) => one.name)).toEqual(['App', 'Panel', 'Details']);
  expect(context?.stateSnapshot).toBeUndefined();
  // Once for both the map and the search for the component.
  expect(fetched).toEqual(['/main.js']);
});

test('with all switches off an error has no context', async ({ page, fail, settings }) => {
  await settings({ aiContextEnabled: false, aiContextStateSnapshot: true });
  const { context, fetched } = await fail();
  expect(context).toBeUndefined();
  expect(fetched).toEqual([]);
  expect(await isEnriched(page)).toBe(false);
});

test('without source code components have only their names, and no script is fetched', async ({ fail, settings }) => {
  await settings({ aiContextSourceSnippets: false });
  const { context, fetched } = await fail('componentAncestry');
  expect(context?.sourceSnippets).toBeUndefined();
  expect(context?.componentAncestry.components.map((one: Answer) => one.name)).toEqual(['App', 'Panel', 'Details']);
  expect(fetched).toEqual([]);
});

test('without components the page is not read', async ({ page, fail, settings }) => {
  await settings({ aiContextComponentTree: false });
  const { context } = await fail('sourceSnippets');
  expect(context?.sourceSnippets[0].file).toContain('src/Details.jsx');
  expect(context?.componentAncestry).toBeUndefined();
  expect(await isEnriched(page)).toBe(false);
});

test('with the state switch on an error has the state', async ({ fail, settings }) => {
  await settings({ aiContextStateSnapshot: true });
  const { context } = await fail('stateSnapshot');
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
