import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: ['suites/**/*.test.ts'],
  // Each worker has a browser, a server and a client of its own.
  workers: 2,
  fullyParallel: false,
  timeout: 30_000,
  expect: { timeout: 8_000 },
  reporter: [['list', { printSteps: false }]],
  forbidOnly: true,
  retries: 0,
});
