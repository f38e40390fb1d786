// Tests that were declared with Playwright's own `test` run without us, and nobody would notice: a worker whose first
// browser starts before our fixture ran says so.

import { type BrowserType, chromium, firefox, webkit } from '@playwright/test';

/** Shared by the files of this package, each of which may be loaded by itself. */
const STARTED = Symbol.for('gasoline-playwright.started');
const marks = globalThis as { [STARTED]?: boolean };

const WARNING =
  "gasoline: tests run without Gasoline, because `gasoline-playwright/register` was imported after `test` from '@playwright/test'. " +
  'Import it at the top of playwright.config.ts, before everything else.\n';

/** Our worker fixture runs, before any browser does. */
export function markStarted(): void {
  marks[STARTED] = true;
}

export function warnIfTooLate(): void {
  // The other workers would say the same.
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
