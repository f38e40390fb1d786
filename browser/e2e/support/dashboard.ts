// Opens the dashboard as a person does: with the link of `gasoline open`.

import { execFileSync } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import { BINARY, type Gasoline } from './gasoline';

/** The address that `gasoline open --print` prints; it works once. */
export function link(gasoline: Gasoline): string {
  return execFileSync(BINARY, ['open', '--print', '--port', String(gasoline.port)], {
    env: gasoline.env,
    encoding: 'utf8',
  }).trim();
}

export async function openDashboard(page: Page, gasoline: Gasoline, section = 'timeline'): Promise<void> {
  await page.goto(link(gasoline));
  await page.locator('[data-test=line][data-state=connected]').waitFor();
  if (section !== 'timeline') await showSection(page, section);
}

/** Counts that arrive move the tabs, so a click may miss its tab. */
export async function showSection(page: Page, section: string): Promise<void> {
  const tab = page.locator(`[data-test=tab-${section}]`);
  await expect(async () => {
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true', { timeout: 1_000 });
  }).toPass();
}
