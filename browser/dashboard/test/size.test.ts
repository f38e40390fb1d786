import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DASHBOARD_PAGE_BYTES } from 'gasoline-capture/limits.gen';
import { expect, test } from 'vitest';

const file = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

test('all of the page together keeps to its limit', () => {
  const files = readdirSync(file('dist'));
  expect(files.sort()).toEqual(['app.css', 'app.js', 'index.html', 'mark.svg']);
  const bytes = files.reduce((sum, name) => sum + statSync(file(`dist/${name}`)).size, 0);
  expect(bytes).toBeLessThanOrEqual(DASHBOARD_PAGE_BYTES);
});
