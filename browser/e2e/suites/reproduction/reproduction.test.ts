// A session with a bug becomes a script that reproduces the bug, and shows when it is fixed.

import type { Page } from '@playwright/test';
import type { Answer } from '../../support/agent';
import { runScript } from '../../support/run-script';
import { json, type Site } from '../../support/site';
import { expect, test } from '../../support/test';

const TOOL = 'get_reproduction_script';

/** Opens the application; the returned record repairs its bugs. */
async function open(site: Site, page: Page): Promise<Record<string, boolean>> {
  const fixed: Record<string, boolean> = {};
  site.routes.set('/bugs', (_, response) => json(response, fixed));
  site.routes.set('POST /api/pay', (_, response) => json(response, {}, fixed.pay ? 200 : 500));
  site.routes.set('/api/gone', (_, response) => (fixed.gone ? json(response, {}) : response.destroy()));
  await page.goto(site.url());
  await page.waitForSelector('form');
  return fixed;
}

/**
 * Checks that the script passes now, and that its last check fails once the bug is fixed. `after`: runs in between, at
 * the same time.
 */
async function proves(
  script: string,
  fixed: Record<string, boolean>,
  bug: string,
  after: () => Promise<void> = async () => {},
): Promise<void> {
  const broken = await runScript(script);
  expect(broken.passed, `${broken.output}\n${script}`).toBe(true);
  fixed[bug] = true;
  const [repaired] = await Promise.all([runScript(script), after()]);
  expect(repaired.passed, repaired.output).toBe(false);
  expect(repaired.output).toMatch(/> \d+ \| {3}await expect\.poll/);
}

/** The script with its last check inverted, as its comment explains, so that it guards the fix. */
function turnedRound(script: string): string {
  const turned = script.replace(
    /^ {2}await expect\.poll.*\n {2}\/\/ (await settled.*)\n {2}\/\/ expect/m,
    '  $1\n  expect',
  );
  expect(turned).not.toBe(script);
  return turned;
}

async function watches(script: string): Promise<void> {
  const turned = turnedRound(script);
  const regression = await runScript(turned);
  expect(regression.passed, `${regression.output}\n${turned}`).toBe(true);
}

/** Checks that the inverted script would notice the bug: on the broken application it fails, on its last line. */
async function notices(script: string): Promise<void> {
  const early = await runScript(turnedRound(script));
  expect(early.passed, early.output).toBe(false);
  expect(early.output).toMatch(/> \d+ \| {3}expect\(.*\)\.not\./);
}

// Each test mostly waits for the scripts that it runs.
test.describe.configure({ timeout: 900_000, mode: 'parallel' });

test('the script reproduces an exception after a filled form', async ({ page, site, eventually }) => {
  const fixed = await open(site, page);
  await page.getByTestId('customer').click();
  await page.keyboard.type("Ann O'Neil");
  await page.locator('#secret').click();
  await page.keyboard.type('hunter2-hunter2');
  await page.locator('#size').selectOption('l');
  await page.getByText('As a gift').click();
  await page.locator('#note').click();
  await page.keyboard.type('ring twice');
  await page.getByText('Save order').click();
  await expect(page.locator('#state')).toHaveText('saved');
  const answer = await eventually(TOOL, {}, ({ error_context }) => error_context?.message.includes('customer'));
  const { script } = answer;
  expect(script).toContain("getByTestId('customer').fill('Ann O\\'Neil')");
  expect(script).toContain("fill('[user-provided]')");
  expect(script).not.toContain('hunter2');
  expect(answer.warnings).toEqual(["Password field value redacted — replace '[user-provided]' with test credentials"]);
  expect(answer.check).toBe('passes while the error occurs, fails once it is fixed');
  expect(answer.error_context).toMatchObject({ file: expect.stringContaining('localhost'), line: expect.any(Number) });
  // Sent by the click, so it is not sent again.
  expect(script.match(/\.click\(\)/g)).toHaveLength(5);
  await notices(script);
  await proves(script, fixed, 'exception', () => watches(script));
});

test('the script reproduces an exception after input with the keyboard alone', async ({ page, site, eventually }) => {
  const fixed = await open(site, page);
  await page.locator('#size').selectOption('l');
  await page.getByText('As a gift').click();
  await page.locator('#note').click();
  await page.keyboard.type('ring twice');
  await page.getByTestId('customer').focus();
  await page.keyboard.type("Ann O'Neil");
  await page.keyboard.press('Enter');
  const { script } = await eventually(TOOL, {}, ({ error_context }) => error_context?.message.includes('customer'));
  expect(script).toContain("page.keyboard.press('Enter')");
  expect(script).not.toContain('type="submit"');
  await proves(script, fixed, 'exception');
});

test('the script of a rejection ends at the error, whatever came later', async ({ page, site, eventually }) => {
  const fixed = await open(site, page);
  await page.getByText('Ship').click();
  await page.waitForTimeout(300);
  await page.getByRole('heading', { name: 'Orders' }).click();
  const answer = await eventually(
    TOOL,
    { error_message: 'no truck' },
    ({ warnings }) => warnings?.length === 1 && warnings[0].startsWith('1 actions after the error'),
  );
  expect(answer.actions_used).toBe(1);
  await proves(answer.script, fixed, 'rejection');
});

for (const { name, button, message, bug, text } of [
  {
    name: 'an error some time after the last answer',
    button: 'Late',
    message: 'too late',
    bug: 'late',
    text: "toContain('too late')",
  },
  { name: 'a thrown object', button: 'Object', message: '"code":5', bug: 'object', text: '"code":5' },
]) {
  test(`${name}: the inverted script fails while the bug is there`, async ({ page, site, eventually }) => {
    const fixed = await open(site, page);
    await page.getByText(button, { exact: true }).click();
    const { script } = await eventually(TOOL, {}, ({ error_context }) => error_context?.message.includes(message));
    expect(script).toContain(text);
    await notices(script);
    await proves(script, fixed, bug, () => watches(script));
  });
}

test('the script finds the right one of several similar rows, and reproduces a console.error', async ({
  page,
  site,
  eventually,
}) => {
  const fixed = await open(site, page);
  await page.locator('li:nth-child(2) button').click();
  const { script } = await eventually(TOOL, {}, ({ error_context }) => error_context?.message.includes('Pears'));
  await proves(script, fixed, 'logged');
});

test('the script reproduces a request that fails, and one that gets no response', async ({
  page,
  site,
  eventually,
}) => {
  const fixed = await open(site, page);
  await page.getByText('Pay').click();
  const failed = await eventually(TOOL, {}, ({ error_context }) => error_context?.message.includes('/api/pay'));
  expect(failed.script).toContain("toContain('POST /api/pay 500')");
  await page.getByText('Count').click();
  const lost = await eventually(TOOL, {}, ({ error_context }) => error_context?.message.includes('/api/gone'));
  expect(lost.script).toContain("toContain('GET /api/gone failed')");
  await notices(failed.script);
  await proves(failed.script, fixed, 'pay', () => proves(lost.script, fixed, 'gone', () => watches(lost.script)));
});

test('the script follows a route change, a dialog of the browser and a page load', async ({
  page,
  site,
  eventually,
}) => {
  const fixed = await open(site, page);
  site.routes.set('/cart', (_, response) => response.writeHead(302, { Location: '/' }).end());
  page.on('dialog', (dialog) => dialog.accept());
  await page.getByText('Reload').click();
  await page.waitForURL('**/*again=1');
  await page.waitForSelector('form');
  await page.getByText('Help', { exact: true }).first().hover();
  await page.getByTestId('customer').click();
  await page.getByText('Cart', { exact: true }).click();
  await page.getByText('Check out').click();
  const { script } = await eventually(TOOL, {}, ({ error_context }) => error_context?.message.includes('iterable'));
  expect(script).toContain(`waitForURL('${site.url('/page.html?again=1')}')`);
  expect(script).toContain(`expect(page).toHaveURL('${site.url('/cart')}')`);
  await proves(script, fixed, 'cart');
  const elsewhere = await eventually(TOOL, { base_url: 'http://127.0.0.1:1' }, ({ script }) => script);
  expect(elsewhere.script).not.toContain('localhost');
});

test('the script presses Escape in a dialog', async ({ page, site, eventually }) => {
  const fixed = await open(site, page);
  await page.locator('#open-help').click();
  await page.keyboard.press('Escape');
  const { script } = await eventually(TOOL, {}, ({ error_context }) => error_context?.message.includes('help was'));
  expect(script).toContain("page.keyboard.press('Escape')");
  await proves(script, fixed, 'escape');
});

test('of two tabs the script shows the one that failed', async ({ context, page, site, eventually }) => {
  const fixed = await open(site, page);
  const other = await context.newPage();
  await other.goto(site.url('/?other'));
  await other.waitForSelector('form');
  await page.getByText('Ship').click();
  await other.getByRole('heading', { name: 'Orders' }).click();
  const all = (answer: Answer) => answer.actions?.length === 2;
  await eventually('get_enhanced_actions', {}, all);
  const { script, actions_used } = await eventually(TOOL, {}, ({ error_context }) => error_context);
  expect(actions_used).toBe(1);
  expect(script).not.toContain('other');
  await other.close();
  await proves(script, fixed, 'rejection');
});
