// Without the user's click, as in every fresh browser.

import { expect, test } from '../../support/test';
import { Recorder } from './recorder';

test('without consent nothing is recorded, and the message says what to do', async ({
  page,
  site,
  context,
  worker,
}) => {
  await page.goto(site.url());
  const recorder = await Recorder.open(context, worker);
  const { error } = await recorder.start(page, 'demo');
  expect(error.name).toBe('ConsentNeeded');
  expect(error.message).toMatch(/click the Gasoline icon in the toolbar/);
  expect((await recorder.stop()).error.name).toBe('NotRecording');
  const tabId = await recorder.tabOf(page);
  await page.goto('chrome://version');
  expect((await recorder.startTab(tabId, 'demo')).error.name).toBe('CannotRecord');
  expect((await recorder.startTab(undefined, 'demo')).error.message).toBeTruthy();
  await recorder.close();
});

test('a page can neither start nor stop a recording', async ({ page, site, worker }) => {
  await page.goto(site.url());
  const answer = await worker.evaluate(async (url) => {
    const tab = (await chrome.tabs.query({})).find((tab) => tab.url === url);
    const results = await chrome.scripting.executeScript({
      target: { tabId: tab?.id as number },
      func: () => chrome.runtime.sendMessage({ type: 'record-stop' }),
    });
    return results[0]?.result;
  }, page.url());
  expect(answer ?? null, 'a content script gets no answer').toBeNull();
});
