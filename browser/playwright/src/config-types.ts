// Adds the options to the type of `playwright.config.ts`: `defineConfig` takes them without a type argument.

import type { GasolineTestOptions, GasolineWorkerOptions } from './types';

declare module '@playwright/test' {
  interface PlaywrightTestOptions extends GasolineTestOptions {}
  interface PlaywrightWorkerOptions extends GasolineWorkerOptions {}
}
