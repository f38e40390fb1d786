import type { Answer } from '../../support/agent';
import { json } from '../../support/site';
import { expect, test } from '../../support/test';

test.use({ options: { bodies: true } });

declare global {
  interface Window {
    round(user: number): Promise<void>;
  }
}

test('an API that drops a field and changes a type is reported, and nothing else is', async ({
  page,
  site,
  eventually,
  agent,
}) => {
  let broken = false;
  site.routes.set('/logo.png', (_, response) => void response.writeHead(200, { 'Content-Type': 'image/png' }).end('x'));
  for (let user = 1; user <= 4; user++) {
    site.routes.set(`/api/users/${user}`, (_, response) =>
      json(response, { id: user, name: 'Ann', ...(!broken && { avatar_url: '/ann.png' }) }),
    );
  }
  site.routes.set('/api/products', (_, response) =>
    json(response, { items: [{ id: 1 }], price: broken ? '19.99' : 19.99 }),
  );
  site.routes.set('/api/steady', (_, response) => json(response, { ok: true, at: Date.now() }));
  site.routes.set('/graphql', (_, response, body) => {
    const basket = JSON.parse(body).operationName === 'Basket';
    if (basket && broken) return json(response, { data: null, errors: [{ message: 'no basket' }] });
    return json(response, { data: basket ? { basket: { total: 1 } } : { viewer: { id: 1 } } });
  });
  await agent.call('validate_api', { action: 'clear' });
  await page.goto(site.url());
  for (const user of [1, 2, 3]) await page.evaluate((user) => window.round(user), user);
  const learned = await eventually(
    'validate_api',
    { action: 'analyze' },
    (answer) => answer.total_requests_analyzed === 15,
  );
  expect(learned).toMatchObject({ violations: [], tracked_endpoints: 5, clean_endpoints: 5 });
  expect(learned.hint).toBeUndefined();

  broken = true;
  await page.evaluate(() => window.round(4));
  const found = await eventually(
    'validate_api',
    { action: 'analyze' },
    (answer) => answer.total_requests_analyzed === 20,
  );
  const told = (found.violations as Answer[]).map(({ endpoint, type }) => `${endpoint} ${type}`).sort();
  expect(told).toEqual([
    'GET /api/products type_change',
    'GET /api/users/:id shape_change',
    'POST /graphql Basket error_spike',
  ]);
  expect(found.clean_endpoints).toBe(2);
  const missing = (found.violations as Answer[]).find(({ type }) => type === 'shape_change') as Answer;
  expect(missing).toMatchObject({ severity: 'warning', missing_fields: ['avatar_url'], still_so: true });
  expect(missing.occurrences).toMatchObject({ expected_count: 3, violation_count: 1 });
  const { entry } = await agent.call('get_network_bodies', { id: missing.request_id });
  expect(entry).toMatchObject({ url: site.url('/api/users/4?fresh=4'), responseBody: '{"id":4,"name":"Ann"}' });
  const type = (found.violations as Answer[]).find(({ type }) => type === 'type_change');
  expect(type).toMatchObject({ field: 'price', expected_type: 'number', actual_type: 'string' });
});
