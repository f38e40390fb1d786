// Compiling this file is the test: the options exist in a config without a type argument, and mistakes in them are
// found.

import { defineConfig } from '@playwright/test';
import '../src/config-types';
import { expect, test } from 'vitest';

test('a config takes the options, with their types', () => {
  const config = defineConfig({
    use: { gasolinePort: 7891, gasolineCaptureMode: 'all' },
    projects: [{ name: 'quick', use: { gasolineAutoStart: false, gasolineAttachOnFailure: false } }],
  });
  expect(config.use?.gasolinePort).toBe(7891);
  // @ts-expect-error: a port is a number
  defineConfig({ use: { gasolinePort: '7891' } });
  // @ts-expect-error: there is no such mode
  defineConfig({ use: { gasolineCaptureMode: 'some' } });
});
