// Our audit finds what axe finds by itself, on pages that other people made and published.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Site } from '../../support/site';
import { expect, test } from './inspecting';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SITES = [
  ['html5-boilerplate', 'dist', '/index.html'],
  ['html5-boilerplate', 'dist', '/404.html'],
  ['startbootstrap-freelancer', 'dist', '/index.html'],
  ['startbootstrap-agency', 'dist', '/index.html'],
  ['swagger-ui-dist', '.', '/index.html'],
] as const;

for (const [name, folder, path] of SITES) {
  test(`${name}${path}`, async ({ page, audit }) => {
    const site = await Site.open(join(packageFolder(name), folder));
    try {
      await page.goto(site.url(path));
      // Ours first: axe in the page must not be what makes it work.
      const ours = await audit({ include_passes: true });
      await page.evaluate(AXE);
      const theirs = await page.evaluate(async () => {
        const { axe } = window as unknown as { axe: typeof import('axe-core') };
        const { violations, incomplete, passes } = await axe.run();
        const count = (rules: typeof violations) => rules.map(({ id, nodes }) => `${id}: ${nodes.length}`).sort();
        return { violations: count(violations), incomplete: count(incomplete), passes: count(passes) };
      });
      const count = (rules: { id: string; nodeCount: number }[] = []) =>
        rules.map(({ id, nodeCount }) => `${id}: ${nodeCount}`).sort();
      console.log(`${name}${path}: ${theirs.violations.join(', ') || 'no violations'}`);
      expect({
        violations: count(ours.violations),
        incomplete: count(ours.incomplete),
        passes: count(ours.passes),
      }).toEqual(theirs);
    } finally {
      await site.close();
    }
  });
}

function packageFolder(name: string): string {
  for (let at = import.meta.dirname; at !== dirname(at); at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(folder)) return folder;
  }
  throw new Error(`${name} is not installed`);
}
