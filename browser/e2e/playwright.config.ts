import { defineConfig } from '@playwright/test';

const TIMED = ['suites/*/time.test.ts', 'suites/*/*.time.test.ts'];

export default defineConfig({
  testDir: '.',
  projects: [
    // It only waits, so it begins first and takes a place of its own.
    { name: 'idle', testMatch: ['suites/lifetime/idle.test.ts'] },
    { name: 'suites', testMatch: ['suites/**/*.test.ts'], testIgnore: ['suites/lifetime/idle.test.ts', ...TIMED] },
    // What is held to a time runs when everything else is done; alone with `--no-deps`.
    { name: 'timed', testMatch: TIMED, workers: 1, dependencies: ['idle', 'suites'] },
  ],
  // Each worker has a browser, a server and a client of its own.
  workers: 3,
  fullyParallel: false,
  timeout: 30_000,
  expect: { timeout: 8_000 },
  reporter: [['list', { printSteps: false }]],
  forbidOnly: true,
  retries: 0,
});
