// For projects whose tests import from '@playwright/test': makes that the same as importing from here. One line at the top
// of playwright.config.ts, or NODE_OPTIONS="--require gasoline-playwright/register"; the test files stay as they are.
// (Modules get the same: Playwright's own wrapper for them reads what stands here.)

import './config-types';
import { warnIfTooLate } from './too-late';

const playwright: { test: unknown } = require('@playwright/test');
const { test }: { test: unknown } = require('gasoline-playwright');

playwright.test = test;
warnIfTooLate();
