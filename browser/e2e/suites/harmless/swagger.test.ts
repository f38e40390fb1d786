// swagger-ui as published, with an API of this test.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from '../../support/site';
import { expect, fromPackage, html, packageFolder, requested, test } from './same';

const API = {
  openapi: '3.0.3',
  info: { title: 'Pet store', version: '1.0.0' },
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        summary: 'One pet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'the pet' }, 404: { description: 'no such pet' } },
      },
    },
    '/pets': {
      post: {
        operationId: 'addPet',
        summary: 'A new pet',
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', example: { name: 'Rex' } } } },
        },
        responses: { 201: { description: 'added' } },
      },
    },
  },
};

test('swagger-ui runs operations in the same way', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set(
        '/',
        html(`
          <link rel="stylesheet" href="/ui.css">
          <div id="ui"></div>
          <script src="/ui.js"></script>
          <script>SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui' });</script>
        `),
      );
      site.routes.set('/ui.js', fromPackage('swagger-ui-dist', 'swagger-ui-bundle.js'));
      site.routes.set('/ui.css', async (_, response) => {
        const text = await readFile(join(packageFolder('swagger-ui-dist'), 'swagger-ui.css'));
        response.writeHead(200, { 'Content-Type': 'text/css' }).end(text);
      });
      site.routes.set('/openapi.json', (_, response) => json(response, API));
      site.routes.set('GET /pets/7', (_, response) => json(response, { id: 7, name: 'Rex' }));
      site.routes.set('GET /pets/8', (_, response) => json(response, { problem: 'no such pet' }, 404));
      site.routes.set('POST /pets', (_, response, body) => json(response, { ...JSON.parse(body), id: 9 }, 201));
    },
    async play(page, site, note) {
      await page.goto(site.url());
      await expect(page.locator('.opblock')).toHaveCount(2);
      note('loaded', await page.locator('#ui').innerText());

      const read = page.locator('#operations-default-getPet');
      await read.locator('.opblock-summary-control').click();
      await read.getByRole('button', { name: 'Try it out' }).click();
      for (const [id, status] of [
        ['7', '200'],
        ['8', '404'],
      ] as const) {
        await read.getByPlaceholder('id').fill(id);
        await read.getByRole('button', { name: 'Execute' }).click();
        await expect(read.locator('.live-responses-table .response-col_status').last()).toContainText(status);
        note(`pet ${id}`, await read.locator('.live-responses-table .highlight-code, .curl').allInnerTexts());
      }

      const write = page.locator('#operations-default-addPet');
      await write.locator('.opblock-summary-control').click();
      await write.getByRole('button', { name: 'Try it out' }).click();
      await write.getByRole('button', { name: 'Execute' }).click();
      await expect(write.locator('.live-responses-table .response-col_status').last()).toContainText('201');
      note('added', await write.locator('.live-responses-table .highlight-code').allInnerTexts());
    },
    captured: [requested('/openapi.json'), requested('/pets/8')],
  });
});
