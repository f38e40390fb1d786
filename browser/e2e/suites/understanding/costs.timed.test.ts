// What the context of an error costs in a page with three thousand components.

import { bundle } from '../../support/bundle';
import { explained } from '../../support/explained';
import { contextCosts, failSoon, LARGE_PAGES, LARGE_ROWS, noteOnce } from '../../support/large-pages';
import { Site } from '../../support/site';
import { expect, test } from '../../support/test';

for (const [name, code] of Object.entries(LARGE_PAGES)) {
  test(`the context of an error is cheap in a large ${name} page`, async ({ page, gasoline, agent, settings }) => {
    await settings({ aiContextStateSnapshot: true });
    const app = await bundle(code, { mode: 'production' });
    const site = await Site.open(app.folder);
    // The best of three: a busy machine may delay any of them.
    const firsts: number[] = [];
    const load = async () => {
      await page.goto(site.url('/index.html'));
      await expect(page.locator('li')).toHaveCount(LARGE_ROWS);
    };
    for (let round = 0; round < 3; round++) {
      await load();
      // As in a page without any earlier error: none of our code has run yet.
      firsts.push((await page.evaluate(noteOnce)).millis);
    }
    const fail = async () => {
      await load();
      await page.locator('b').last().click();
      await page.evaluate(failSoon);
    };
    const answer = await explained({ gasoline, agent }, fail, (answer) => {
      const context = answer.errors[0]?._aiContext;
      return context?.componentAncestry && context.stateSnapshot;
    });
    const { components } = answer.errors[0]._aiContext.componentAncestry;
    expect(components.map((component: { name: string }) => component.name).slice(-2)).toEqual(['Row', 'Cell']);
    // It checks the clock every 64 components.
    expect(Math.min(...firsts)).toBeLessThan(10);
    const rounds = [await page.evaluate(contextCosts), await page.evaluate(contextCosts)];
    expect(Math.min(...rounds.map(({ ancestry }) => ancestry))).toBeLessThan(50);
    expect(Math.min(...rounds.map(({ state }) => state))).toBeLessThan(100);
    await site.close();
    app.remove();
  });
}
