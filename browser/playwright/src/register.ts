// For projects whose tests import from '@playwright/test': makes that import equal to an import of this package. It
// takes one line at the top of playwright.config.ts, or NODE_OPTIONS="--require gasoline-playwright/register"; the test
// files stay unchanged. (ES modules get the same, because Playwright's own wrapper for them reads these exports.)

import './config-types';
import { warnIfTooLate } from './too-late';

const playwright: { test: unknown } = require('@playwright/test');
const { test }: { test: unknown } = require('gasoline-playwright');

playwright.test = test;
warnIfTooLate();
