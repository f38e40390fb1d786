// Detects tests that were declared with Playwright's own `test`. They run without Gasoline, which would go unnoticed:
// so a worker warns if its first browser starts before our fixture ran.

import { type BrowserType, chromium, firefox, webkit } from '@playwright/test';

/** Shared by the files of this package, each of which may be loaded separately. */
const STARTED = Symbol.for('gasoline-playwright.started');
const marks = globalThis as { [STARTED]?: boolean };

const WARNING =
  "gasoline: tests run without Gasoline, because `gasoline-playwright/register` was imported after `test` from '@playwright/test'. " +
  'Import it at the top of playwright.config.ts, before everything else.\n';

/** Called by our worker fixture, before any browser starts. */
export function markStarted(): void {
  marks[STARTED] = true;
}

export function warnIfTooLate(): void {
  // The other workers would print the same.
  if (process.env.TEST_WORKER_INDEX !== '0') return;
  let isSaid = false;
  for (const type of [chromium, firefox, webkit] as unknown as Array<Record<string, BrowserType['launch']>>) {
    for (const name of ['launch', 'launchPersistentContext', 'connect', 'connectOverCDP']) {
      const native = type[name];
      if (typeof native !== 'function') continue;
      type[name] = (...args) => {
        if (!marks[STARTED] && !isSaid) {
          isSaid = true;
          process.stderr.write(WARNING);
        }
        return native.apply(type, args);
      };
    }
  }
}
