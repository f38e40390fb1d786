import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DEFAULTS, PAGE_DEFAULTS, REPORTED, ROWS } from 'gasoline-capture/settings.gen';
import { expect, test } from 'vitest';
import { reportedSettings } from '../src/background/tabs';
import { captureSettings } from '../src/shared/capture-settings';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const markup = read('static/popup.html') + read('static/options.html');
const places = new Set([...markup.matchAll(/<template data-switches="([^"]+)">/g)].map(([, place]) => place));

test('every setting has a place in the popup or the options page', () => {
  expect([...places].sort()).toEqual([...new Set(ROWS.map(({ place }) => place))].sort());
});

test('every switch has a case in a browser suite', () => {
  const suites = fileURLToPath(new URL('../../e2e/suites', import.meta.url));
  const cases = readdirSync(suites, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => readFileSync(`${suites}/${path}`, 'utf8'));
  expect(cases.length).toBeGreaterThan(20);
  const missing = ROWS.filter(({ key }) => !cases.some((text) => text.includes(key)));
  expect(missing.map(({ key }) => key)).toEqual([]);
});

test('with the defaults, pages capture what they would without settings', () => {
  expect(captureSettings(DEFAULTS, 'normal')).toMatchObject(PAGE_DEFAULTS);
  expect(captureSettings({ ...DEFAULTS, captureConsole: false, networkWaterfall: true }, 'normal')).toMatchObject({
    console: false,
    level: 'all',
    webSockets: true,
    networkWaterfall: true,
    performanceMarks: false,
  });
});

test('the server gets exactly the settings that are reported', () => {
  expect(Object.keys(reportedSettings(DEFAULTS)).sort()).toEqual([...REPORTED].sort());
  expect(reportedSettings({ ...DEFAULTS, debugMode: true })).not.toHaveProperty('debugMode');
});
