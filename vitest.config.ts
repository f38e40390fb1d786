import { defineConfig } from 'vitest/config';

// The suites in browser/e2e need a browser; Playwright runs those.
export default defineConfig({
  test: { include: ['browser/{capture,extension,dashboard,ci,playwright}/test/**/*.test.ts', 'npm/test/**/*.test.ts'] },
});
