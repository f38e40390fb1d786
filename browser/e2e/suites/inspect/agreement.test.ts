// Our audit finds what axe itself finds, on pages that other people published.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import type { AuditReport } from 'gasoline-capture/wire.gen';
import type { AuditParams } from 'gasoline-extension/inspect/audit/scope';
import { Site } from '../../support/site';
import { AXE, expect, html, test } from './inspecting';

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
      await expectAgreement(page, audit);
    } finally {
      await site.close();
    }
  });
}

test('the audit of a page with frames agrees with axe', async ({ page, audit }) => {
  const site = await Site.open(join(packageFolder('startbootstrap-freelancer'), 'dist'));
  const boilerplate = readFileSync(join(packageFolder('html5-boilerplate'), 'dist/404.html'), 'utf8');
  site.routes.set('/404', html(boilerplate));
  site.routes.set('/frames', html('<title>Two</title><h1>Two</h1><iframe src="/404"></iframe><h4>One</h4>'));
  site.routes.set(
    '/',
    html('<title>All</title><iframe src="/index.html"></iframe><h2>Next</h2><iframe src="/frames"></iframe>'),
  );
  try {
    await page.goto(site.url());
    await expectAgreement(page, audit);
  } finally {
    await site.close();
  }
});

async function expectAgreement(page: Page, audit: (params: AuditParams) => Promise<AuditReport>): Promise<void> {
  await settled(page);
  // Ours first: it must not depend on an axe that is already in the page.
  const ours = await audit({ include_passes: true });
  for (const frame of page.frames()) await frame.evaluate(AXE);
  const theirs = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const { violations, incomplete, passes } = await axe.run();
    const count = (rules: typeof violations) => rules.map(({ id, nodes }) => `${id}: ${nodes.length}`).sort();
    return { violations: count(violations), incomplete: count(incomplete), passes: count(passes) };
  });
  const count = (rules: { id: string; nodeCount: number }[] = []) =>
    rules.map(({ id, nodeCount }) => `${id}: ${nodeCount}`).sort();
  console.log(`${page.url()}: ${theirs.violations.join(', ')}`);
  expect(theirs.violations.length).toBeGreaterThan(0);
  expect({
    violations: count(ours.violations),
    incomplete: count(ours.incomplete),
    passes: count(ours.passes),
  }).toEqual(theirs);
}

/** Waits until nothing moves any more, so that both audits examine the same page. */
async function settled(page: Page): Promise<void> {
  let before = '';
  await expect
    .poll(
      async () => {
        const now = await page.evaluate(() => {
          const moving = document.getAnimations().filter(({ playState }) => playState === 'running').length;
          return `${moving} ${document.documentElement.outerHTML}`;
        });
        const same = now === before && now.startsWith('0 ');
        before = now;
        return same;
      },
      { intervals: [300] },
    )
    .toBe(true);
}

function packageFolder(name: string): string {
  for (let at = import.meta.dirname; at !== dirname(at); at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(folder)) return folder;
  }
  throw new Error(`${name} is not installed`);
}
