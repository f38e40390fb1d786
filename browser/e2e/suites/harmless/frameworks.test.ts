// Applications in development: Vite's server with hot module replacement.

import { App, type AppName } from '../../support/vite';
import { expect, logged, requested, test } from './same';

const EDITED: Record<AppName, string> = {
  react: 'src/App.jsx',
  vue: 'src/App.vue',
  svelte: 'src/Counter.svelte',
};
/** Svelte creates an edited component again; the component around it keeps its state. */
const COUNT_AFTER: Record<AppName, string> = { react: 'count 3', vue: 'count 3', svelte: 'count 0' };

for (const name of Object.keys(EDITED) as AppName[]) {
  test(`a ${name} application that is edited while it runs behaves the same`, async ({ same }) => {
    let app: App;
    const seen = await same({
      async prepare() {
        app = await App.start(name);
        return () => app.close();
      },
      async play(page, _, note) {
        await page.goto(app.url());
        await expect(page.getByRole('listitem')).toHaveCount(3);
        note('loaded', await page.locator('#app').innerHTML());
        await page.evaluate(() => {
          (window as { sameDocument?: boolean }).sameDocument = true;
        });
        const counter = page.getByRole('button', { name: 'count' });
        for (let click = 0; click < 3; click++) await counter.click();
        note('counted', await counter.textContent());
        await page.locator('input').fill('Ada');
        await page.getByRole('button', { name: 'greet' }).click();
        await expect(page.locator('output')).toHaveText('hello Ada');
        note('greeted', await page.locator('#app').innerHTML());

        app.edit(EDITED[name], 'first title', 'second title');
        await expect(page.locator('h1')).toHaveText('second title');
        note('edited', await page.locator('#app').innerHTML());
        note('input', await page.locator('input').inputValue());
        note('the same document', await page.evaluate(() => (window as { sameDocument?: boolean }).sameDocument));
        await counter.click();
        note('counted on', await counter.textContent());
      },
      tidy: (text) =>
        text
          .replaceAll(`:${app.port}`, ':<app>')
          .replace(/([?&][tv])=[\w-]+/g, '$1=…')
          .replace(/token=[\w-]+/g, 'token=…')
          .replace(/-\d+-\d+\/src/g, '-…/src'),
      racy: /^debug \[vite\]/,
      captured: [logged(`${name} starts`), logged('greeted'), requested('/api/items')],
    });
    // Being the same is not enough: both runs would also be the same if no update had come.
    expect(seen.steps).toContain('the same document: true');
    expect(seen.steps).toContain('input: "Ada"');
    expect(seen.steps.find((step) => step.startsWith('edited'))).toContain(COUNT_AFTER[name]);
  });
}
