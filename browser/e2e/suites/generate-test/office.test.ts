// Applications that make tests flaky: the generated tests pass again and again.

import type { Page } from '@playwright/test';
import { runScript } from '../../support/run-script';
import { json, type Site } from '../../support/site';
import { expect, test } from '../../support/test';

const TOOL = 'generate_test';

test.use({ options: { bodies: true } });
test.describe.configure({ timeout: 900_000 });

interface Office {
  /** Stops the backend; pages are still served. */
  stop(): void;
  /** Restores the state before anybody signed in. */
  reset(): void;
}

function openOffice(site: Site): Office {
  let stopped = false;
  let user: string | undefined;
  const api: typeof site.routes.set = (route, answer) =>
    site.routes.set(route, (request, response, body) =>
      stopped ? response.destroy() : answer(request, response, body),
    );
  // 404 on purpose: a browser logs an error for each failed request, and this session has one.
  api('GET /api/me', (_, response) => (user ? json(response, { name: user }) : json(response, {}, 404)));
  api('POST /api/session', (_, response, body) => {
    user = JSON.parse(body).user;
    json(response, { token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMiJ9.c2lnbmF0dXJlLW9mLWl0' }, 201);
  });
  api('POST /graphql', async (_, response, body) => {
    const { operationName } = JSON.parse(body);
    // Their order varies.
    await new Promise((done) => setTimeout(done, Math.random() * 60));
    json(response, {
      data: operationName === 'Users' ? { users: [{ id: 1 }] } : { teams: [{ size: 4 }, { size: 5 }] },
    });
  });
  for (const id of [1, 2, 3])
    api(`GET /api/rooms/${id}`, (_, response) => json(response, { id, doors: id > 1 ? [] : [1] }));
  api('GET /api/settings', (request, response) => {
    const etag = '"v1"';
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, { ETag: etag }).end();
    json(response, { theme: 'dark' }, 200, { ETag: etag, 'Cache-Control': 'no-cache' });
  });
  api('GET /api/slow', (_, response) => setTimeout(() => json(response, {}), 5_000));
  api('PUT /api/old', (_, response) => response.writeHead(307, { Location: '/api/new' }).end());
  api('PUT /api/new', (_, response) => json(response, { saved: true }));
  api('GET /api/farewell', (_, response) => json(response, { until: new Date().toLocaleString() }));
  return {
    stop: () => {
      stopped = true;
    },
    reset: () => {
      user = undefined;
    },
  };
}

async function work(page: Page, site: Site): Promise<void> {
  await page.goto(site.url('/office.html'));
  await page.locator('[name=user]').click();
  await page.waitForTimeout(600);
  await page.keyboard.type('ann');
  await page.locator('[name=password]').click();
  await page.keyboard.type('hunter2-hunter2');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Hello ann' })).toBeVisible();
  await page.waitForTimeout(800);
  for (const _ of [1, 2]) {
    await page.getByText('Load').click();
    await expect(page.getByTestId('state')).toHaveText('1 2 dark');
    await page.waitForTimeout(400);
  }
  await page.getByText('Save').click();
  await expect(page.getByTestId('state')).toHaveText('saved');
  await page.waitForTimeout(400);
  await page.getByText('Leave').click();
  await expect(page.getByTestId('date')).not.toBeEmpty();
  await page.waitForTimeout(800);
}

test('generated tests handle redirects, operations, repeated, changed and abandoned responses, and a page load', async ({
  page,
  site,
  eventually,
}) => {
  const office = openOffice(site);
  await work(page, site);
  const answer = await eventually(TOOL, { fixtures: true }, ({ test_script }) => test_script?.includes('farewell'));
  await page.close();
  const { test_script: script, fixture_file, test_name } = answer;
  const files = { [`${test_name}.fixtures.js`]: fixture_file };
  expect(script + fixture_file).not.toContain('hunter2');
  expect(script).not.toContain('/api/slow');
  expect(script).toContain("answerTo('POST', '/graphql', 'Users')");
  expect(script).toContain(`page.waitForURL('${site.url('/done.html?')}')`);
  // The failed request was part of the session, so the test does not assert an empty console.
  expect(script).toMatch(/\/\/ {3}GET .*\/api\/me → 404.*\n {2}\/\/ await settled.*\n {2}\/\/ expect\(consoleErrors\)/);
  for (let round = 0; round < 3; round++) {
    office.reset();
    const works = await runScript(script, { files });
    expect(works.output, `${works.output}\n${script}`).toContain('2 passed');
  }
  office.stop();
  const mocked = await runScript(script, { files, only: 'mocked' });
  expect(mocked.passed, `${mocked.output}\n${script}\n${fixture_file}`).toBe(true);
});

test('without bodies the test checks statuses, and a hint says what is missing', async ({
  page,
  site,
  eventually,
  settings,
}) => {
  openOffice(site);
  await settings({ captureNetworkBodies: false });
  await page.goto(site.url('/office.html'));
  await page.waitForTimeout(600);
  await page.locator('[name=user]').fill('ann');
  await page.locator('[name=user]').press('Enter');
  await expect(page.getByRole('heading', { name: 'Hello ann' })).toBeVisible();
  const answer = await eventually(TOOL, { fixtures: true }, ({ test_script }) => test_script?.includes('session'));
  expect(answer.hint).toContain('bodies are off');
  expect(answer.test_script).toContain('.status()).toBe(201)');
  expect(answer.test_script).not.toContain('.json()');
  expect(answer.fixture_file).toBeUndefined();
});

test('screenshots are taken once and compared from then on', async ({ page, site, eventually }) => {
  const office = openOffice(site);
  await page.goto(site.url('/office.html'));
  await page.locator('[name=user]').click();
  const answer = await eventually(
    TOOL,
    { assertions: { visual: true, network: false, no_errors: false } },
    ({ action_count }) => action_count === 1,
  );
  await page.close();
  expect(answer.test_script).toContain("toHaveScreenshot('1-open-");
  office.reset();
  const works = await runScript(answer.test_script, { updateSnapshots: true });
  expect(works.passed, `${works.output}\n${answer.test_script}`).toBe(true);
});
