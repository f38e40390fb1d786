import { defineConfig } from '@playwright/test';

const SLOW = 'suites/**/*.slow.test.ts';
const TIMED = 'suites/**/*.timed.test.ts';

export default defineConfig({
  testDir: '.',
  projects: [
    // Takes minutes, mostly waiting, so it starts first.
    { name: 'slow', testMatch: SLOW },
    // What `cargo xtask test` runs; `--all` adds the other two.
    { name: 'quick', testMatch: 'suites/**/*.test.ts', testIgnore: [SLOW, TIMED] },
    // Asserts how fast the machine is: `cargo xtask test --all` runs it alone, after the others.
    { name: 'timed', testMatch: TIMED },
  ],
  // Each worker has its own browser, server and client. They wait as often as they compute, so there are more than cores.
  workers: 5,
  fullyParallel: false,
  // Patience, not a promise: on a machine with other work everything takes several times as long.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list', { printSteps: false }]],
  forbidOnly: true,
  retries: 0,
});
