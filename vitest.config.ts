import { defineConfig } from 'vitest/config';

// The suites in browser/e2e need a browser; Playwright runs those.
export default defineConfig({
  // Patience, not a promise: these run beside Rust's tests.
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    include: ['browser/{capture,extension,dashboard,ci,playwright}/test/**/*.test.ts', 'npm/test/**/*.test.ts'],
  },
});
