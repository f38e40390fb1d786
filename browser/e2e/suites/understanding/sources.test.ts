// Source code of pages without any framework: modules that webpack evaluates, scripts written by hand, frames.

import type { ServerResponse } from 'node:http';
import { transform } from 'esbuild';
import type { Answer } from '../../support/agent';
import { expect, test } from '../../support/test';

const SOURCE = `interface Order { id: number }

export function save(order: Order): never {
  throw new Error(\`order \${order.id} failed\`);
}
setTimeout(() => save({ id: 7 }), 50);
`;

function html(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>Plain</title>${body}`);
}

function script(response: ServerResponse, code: string): void {
  response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(code);
}

const snippetOf = (answer: Answer) => answer.errors[0]?._aiContext?.sourceSnippets?.[0];

test('an error in a module that webpack evaluates shows its source', async ({ page, site, eventually }) => {
  const { code, map } = await transform(SOURCE, {
    loader: 'ts',
    format: 'cjs',
    sourcemap: 'external',
    sourcefile: 'webpack://shop/./src/orders.ts',
  });
  const inline = `//# sourceMappingURL=data:application/json;charset=utf-8;base64,${Buffer.from(map).toString('base64')}`;
  const text = `${code}${inline}\n//# sourceURL=webpack-internal:///./src/orders.ts\n`;
  site.routes.set('/page', (_, response) => html(response, '<script src="/main.js"></script>'));
  site.routes.set('/main.js', (_, response) => script(response, `var module = {}; eval(${JSON.stringify(text)});`));
  await page.goto(site.url('/page'));
  const answer = await eventually('get_browser_errors', {}, (answer) => snippetOf(answer) !== undefined);
  expect(snippetOf(answer)).toMatchObject({ file: 'src/orders.ts', line: 4 });
});

test('an error in a script written by hand shows its source', async ({ page, site, eventually }) => {
  site.routes.set('/page', (_, response) => html(response, '<script src="/plain.js?v=2"></script>'));
  site.routes.set('/plain.js', (_, response) =>
    script(response, "function save() {\n  throw new Error('plain failed');\n}\n\nsetTimeout(save, 50);\n"),
  );
  await page.goto(site.url('/page'));
  const answer = await eventually('get_browser_errors', {}, (answer) => snippetOf(answer) !== undefined);
  const { file, line, snippet } = snippetOf(answer);
  expect([file, line]).toEqual(['plain.js', 2]);
  expect(snippet.find((one: Answer) => one.isError).text).toBe("  throw new Error('plain failed');");
});

test('a built script without a map is reported as such, and two tabs that fail at once both get their source', async ({
  page,
  context,
  site,
  eventually,
}) => {
  const { code, map } = await transform(SOURCE.replace('50', '400'), {
    loader: 'ts',
    minify: true,
    sourcemap: 'external',
    sourcefile: 'src/orders.ts',
  });
  const padding = `;0${',0'.repeat(2_000)};`;
  site.routes.set('/page', (_, response) => html(response, '<script type="module" src="/built.js"></script>'));
  site.routes.set('/built.js', (_, response) => script(response, `${code}${padding}`));
  await page.goto(site.url('/page'));
  const why = 'none for built.js: the script names no source map';
  await eventually('get_browser_errors', {}, ({ errors }) => errors[0]?.source_map === why);

  site.routes.set('/built.js', (_, response) =>
    script(response, `${code}${padding}\n//# sourceMappingURL=built.js.map`),
  );
  site.routes.set('/built.js.map', (_, response) => script(response, map));
  const other = await context.newPage();
  await Promise.all([page.goto(site.url('/page?one')), other.goto(site.url('/page?two'))]);
  const mapped = ({ errors }: Answer) =>
    errors.length === 1 && errors[0].source_map === undefined && snippetOf({ errors })?.file === 'src/orders.ts';
  for (const url_filter of ['/page?one', '/page?two']) await eventually('get_browser_errors', { url_filter }, mapped);
  await other.close();
});

test('an error in a frame of another site shows its source', async ({ page, site, eventually }) => {
  const code = "function save() {\n  throw new Error('frame failed');\n}\n\nsetTimeout(save, 300);\n";
  site.routes.set('/page', (_, response) =>
    html(response, `<iframe src="${site.url('/inner', 'app.test')}"></iframe>`),
  );
  site.routes.set('/inner', (_, response) => html(response, '<script src="/inner.js"></script>'));
  site.routes.set('/inner.js', (_, response) => script(response, code));
  await page.goto(site.url('/page'));
  const answer = await eventually('get_browser_errors', {}, (answer) => snippetOf(answer) !== undefined);
  expect(snippetOf(answer)).toMatchObject({ file: 'inner.js', line: 2 });
  expect(site.requests.filter((path) => path === '/inner.js')).toHaveLength(2);
});
