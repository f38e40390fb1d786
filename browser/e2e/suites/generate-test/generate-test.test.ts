// A session that worked becomes a test. The test passes, it fails for each planted fault on the assertion meant for it,
// and its mocked variant needs no backend.

import type { Page } from '@playwright/test';
import { runScript } from '../../support/run-script';
import { json, type Site } from '../../support/site';
import { expect, test } from '../../support/test';

const TOOL = 'generate_test';

test.use({ options: { bodies: true } });
test.describe.configure({ timeout: 900_000 });

interface Shop {
  broken: Record<string, boolean>;
}

/** The application, and ways to break it. */
function openShop(site: Site): Shop {
  const broken: Record<string, boolean> = {};
  const all = [
    { id: 7, name: 'Apples', price: 1.5, tags: ['fruit'], note: null },
    { id: 9, name: 'Pears', price: 2, tags: [], note: 'ripe' },
  ];
  let orders = 40;
  const cart: number[] = [];
  const api = (route: string, answer: (body: string, query: URLSearchParams) => [unknown, number?]) =>
    site.routes.set(route, (request, response, body) => {
      if (broken.backend) return response.destroy();
      const [value, status] = answer(body, new URL(request.url ?? '', 'http://x').searchParams);
      json(response, value, status);
    });
  site.routes.set('/flags.js', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(`window.broken = ${JSON.stringify(broken)};`),
  );
  api('GET /api/products', () => [
    { products: broken.field ? all.map(({ price: _, ...rest }) => rest) : all, total: 2 },
  ]);
  api('GET /api/search', (_, query) => [{ products: all.filter(({ name }) => name.includes(query.get('q') ?? '')) }]);
  api('POST /api/cart', (body) => [{ count: cart.push(JSON.parse(body).product) }, 201]);
  api('GET /api/cart', () => [{ items: cart.map((product) => ({ product })) }]);
  api('GET /api/news', () => [[]]);
  api('POST /api/orders', (body) => {
    const id = ++orders;
    const { name } = JSON.parse(body);
    api(`GET /api/orders/${id}`, () => [
      { id, customer: { name }, token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMiJ9.c2lnbmF0dXJlLW9mLWl0' },
    ]);
    return broken.status ? [{ error: 'no stock' }, 500] : [{ id }, 201];
  });
  return { broken };
}

async function shop(page: Page, site: Site): Promise<void> {
  await page.goto(site.url());
  await expect(page.getByTestId('add-7')).toBeVisible();
  await page.waitForTimeout(1_500);
  await page.locator('#search').click();
  await page.keyboard.type('ears', { delay: 120 });
  await expect(page.getByTestId('add-7')).toBeHidden();
  await page.waitForTimeout(700);
  await page.getByTestId('add-9').click();
  await page.waitForTimeout(2_600);
  await page.getByText('Go to cart').click();
  await expect(page.getByTestId('count')).toHaveText('1 articles');
  await page.waitForTimeout(700);
  await page.locator('#name').click();
  await page.keyboard.type("Ann O'Neil");
  await page.locator('#coupon').click();
  await page.keyboard.type('hunter2-hunter2');
  await page.getByText('Order now').click();
  await expect(page.getByTestId('thanks')).toBeVisible();
  await page.waitForTimeout(1_000);
}

test('a generated test passes against the same application, and fails for each planted fault on its assertion', async ({
  page,
  site,
  eventually,
}) => {
  const { broken } = openShop(site);
  await shop(page, site);
  const answer = await eventually(TOOL, { fixtures: true }, ({ test_script }) => test_script?.includes('thanks'));
  await page.close();
  const { test_script: script, fixture_file, test_name } = answer;
  const files = { [`${test_name}.fixtures.js`]: fixture_file };
  expect(answer.save_as).toEqual([`${test_name}.spec.js`, `${test_name}.fixtures.js`]);
  expect(answer.assertion_count).toBe(script.match(/^ +(await )?expect\(/gm).length);
  expect(script + fixture_file).not.toContain('hunter2');
  // Requests that the page makes by itself are not awaited.
  expect(script).not.toContain("'/api/news'");
  expect(fixture_file).toContain('"token": "mock-token-value"');

  const works = await runScript(script, { files });
  expect(works.passed, `${works.output}\n${script}`).toBe(true);
  expect(works.output).toContain('2 passed');

  for (const [breakage, line] of [
    ['heading', /> +\d+ \| +await expect\(page\.locator\('h1:visible'/],
    ['status', /> +\d+ \| +expect\(answer\d+\.status\(\)\)\.toBe\(201\)/],
    ['field', /> +\d+ \| +expect\(await answer\d+\.json\(\)\)/],
    ['console', /> +\d+ \| +expect\(consoleErrors\)\.toEqual/],
    ['late', /> +\d+ \| +expect\(consoleErrors\)\.toEqual/],
    ['message', /> +\d+ \| +await expect\(page\.getByRole\('status'\)/],
  ] as const) {
    broken[breakage] = true;
    const run = await runScript(script, { files, without: 'mocked' });
    broken[breakage] = false;
    expect(run.passed, breakage).toBe(false);
    expect(run.output.match(/^ +> +\d+ \|.*$/m)?.[0], `${breakage}\n${run.output}\n${script}`).toMatch(line);
  }

  broken.backend = true;
  const mocked = await runScript(script, { files, only: 'mocked' });
  expect(mocked.passed, `${mocked.output}\n${script}\n${fixture_file}`).toBe(true);
  const real = await runScript(script, { files, without: 'mocked' });
  expect(real.passed, 'without a backend').toBe(false);
});

test('a session without any pauses, as automation drives it, becomes a test that passes', async ({
  page,
  site,
  eventually,
}) => {
  openShop(site);
  await page.goto(site.url());
  await page.getByTestId('add-7').click();
  await page.getByText('Go to cart').click();
  await page.locator('#name').fill('Ann');
  await page.getByText('Order now').click();
  await expect(page.getByTestId('thanks')).toBeVisible();
  const answer = await eventually(TOOL, { fixtures: true }, ({ test_script }) => test_script?.includes('thanks'));
  await page.close();
  const { test_script: script, fixture_file, test_name } = answer;
  for (let round = 0; round < 3; round++) {
    const works = await runScript(script, { files: { [`${test_name}.fixtures.js`]: fixture_file } });
    expect(works.output, `${works.output}\n${script}`).toContain('2 passed');
  }
});
