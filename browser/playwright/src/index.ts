// `test` and `expect` with Gasoline in every page: the cause of a failure is attached to its test.

import {
  test as base,
  expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
  type TestType,
} from '@playwright/test';
import './config-types';
import { within } from './deadline';
import { Pages } from './pages';
import { Reports } from './reports';
import { Run, RunnerGone } from './run';
import { connect } from './server';
import { HookSession, NOTHING, Session, type Worker } from './session';
import { markStarted } from './too-late';
import type { GasolineFixture, GasolineTestOptions, GasolineWorkerOptions } from './types';

export type { GasolineFixture, GasolineOptions, GasolineSnapshot } from './types';
export { expect };

/** Our own work has its own timeout and does not count as the test's time. */
const OWN_MILLIS = 30_000;
/** The search for a server ends after this time. */
const CONNECT_MILLIS = 25_000;

/** The time for the last reports when a worker ends. */
const REPORT_MILLIS = 3_000;

/** One per worker process, even if several files load this module. */
let pages: Pages | undefined;

interface PerTest extends GasolineTestOptions {
  gasoline: GasolineFixture;
  _gasolineHooks: undefined;
}

/**
 * With this value Playwright also runs the fixture around each `beforeAll` and `afterAll`. Its types do not list it.
 */
const AROUND_HOOKS = 'all-hooks-included' as unknown as true;

interface PerWorker extends GasolineWorkerOptions {
  _gasolineWorker: Worker | undefined;
}

/** `config-types.ts` adds our options to Playwright's own types, so they exist there before they are declared here. */
const undeclared = base as unknown as TestType<PlaywrightTestArgs, PlaywrightWorkerArgs>;

const declared = undeclared.extend<PerTest, PerWorker>({
  gasolinePort: [Number(process.env.GASOLINE_PORT ?? 7890), { scope: 'worker', option: true }],
  gasolineAutoStart: [true, { scope: 'worker', option: true }],
  gasolineBinary: ['', { scope: 'worker', option: true }],
  gasolineCaptureMode: ['errors-only', { option: true }],
  gasolineAttachOnFailure: [true, { option: true }],

  _gasolineWorker: [
    async ({ gasolinePort, gasolineAutoStart, gasolineBinary }, use) => {
      markStarted();
      const run = openRun();
      const client =
        run && (await within(CONNECT_MILLIS, connect({ gasolinePort, gasolineAutoStart, gasolineBinary }, run)));
      if (client) pages ??= new Pages();
      const reports = new Reports();
      await use(run && client && pages ? { client, run, pages, reports } : undefined);
      await within(REPORT_MILLIS, reports.drain());
    },
    { scope: 'worker', auto: true, box: true, timeout: OWN_MILLIS },
  ],

  gasoline: [
    async ({ _gasolineWorker: worker, gasolineCaptureMode, gasolineAttachOnFailure }, use, info) => {
      if (!worker) return use(NOTHING);
      const session = new Session(worker, info, { gasolineCaptureMode, gasolineAttachOnFailure });
      worker.pages.begin(session);
      void session.begin();
      await use(session.fixture);
      await session.end();
      worker.pages.end();
    },
    { auto: true, box: true, timeout: OWN_MILLIS },
  ],

  _gasolineHooks: [
    async ({ _gasolineWorker: worker, gasolineCaptureMode, gasolineAttachOnFailure }, use, info) => {
      const hook = hookForAll(info);
      if (!worker || !hook) return use(undefined);
      const session = new HookSession(worker, info, { gasolineCaptureMode, gasolineAttachOnFailure }, hook);
      worker.pages.begin(session);
      await use(undefined);
      await session.end();
      worker.pages.end();
    },
    { auto: AROUND_HOOKS, box: true, timeout: OWN_MILLIS },
  ],
});

export const test = declared as unknown as TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & PerTest,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & PerWorker
>;

/** If Playwright does not say what it is running, hooks are left alone. */
function hookForAll(info: TestInfo): 'beforeAll' | 'afterAll' | undefined {
  const { _currentHookType } = info as { _currentHookType?: () => string | undefined };
  const hook = _currentHookType?.call(info);
  return hook === 'beforeAll' || hook === 'afterAll' ? hook : undefined;
}

/** An unwritable home directory must not make a test fail. */
function openRun(): Run | undefined {
  try {
    return new Run();
  } catch (error) {
    if (process.env.TEST_WORKER_INDEX === '0' && !(error instanceof RunnerGone)) {
      process.stderr.write(`gasoline: ${String(error)}; set GASOLINE_STATE_DIR to a writable folder\n`);
    }
    return undefined;
  }
}
