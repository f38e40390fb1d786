import { expect, test } from 'vitest';
import { createMapBringer } from '../src/source-maps';
import type { SourceMapUpload } from '../src/wire.gen';

const PAGE = 'http://shop.test/cart';

async function bring(files: Record<string, string | number>, url = 'http://shop.test/app.js', page = PAGE) {
  const asked: string[] = [];
  const uploads: SourceMapUpload[] = [];
  const fetch = async (address: string) => {
    asked.push(address);
    const found = files[address] ?? 404;
    return typeof found === 'number' ? new Response('', { status: found }) : new Response(found);
  };
  const maps = createMapBringer(fetch, (upload) => uploads.push(upload));
  await Promise.all([maps.bring([url, url], page), maps.bring([url], page)]);
  return { upload: uploads[0], count: uploads.length, asked };
}

const BUILT = `${'a();'.repeat(500)}\n`;

test('a map beside its script is uploaded once', async () => {
  const { upload, count, asked } = await bring({
    'http://shop.test/app.js': `${BUILT}//# sourceMappingURL=app.js.map`,
    'http://shop.test/app.js.map': '{"version":3}',
  });
  expect(upload).toEqual({
    url: 'http://shop.test/app.js',
    map: '{"version":3}',
    map_url: 'http://shop.test/app.js.map',
  });
  expect([count, asked.length]).toEqual([1, 2]);
});

test('a map is uploaded again when the server asks again, because the page may have been reloaded', async () => {
  const uploads: SourceMapUpload[] = [];
  const maps = createMapBringer(
    async () => new Response('function pay() {\n  return 1;\n}\n'),
    (upload) => uploads.push(upload),
  );
  await maps.bring(['http://shop.test/app.js'], PAGE);
  await maps.bring(['http://shop.test/app.js'], PAGE);
  expect(uploads).toHaveLength(2);
});

test('inline maps are decoded, and scripts written by hand need none', async () => {
  const inline = `${BUILT}//# sourceMappingURL=data:application/json;base64,${btoa('{"version":3}')}`;
  expect((await bring({ 'http://shop.test/app.js': inline })).upload?.map).toBe('{"version":3}');
  const plain = 'function pay() {\n  return 1;\n}\n';
  expect((await bring({ 'http://shop.test/app.js': plain })).upload?.script).toBe(plain);
});

test.each([
  ['the page itself', {}, PAGE, 'the code is in the page itself'],
  ['no address', {}, 'blob:http://shop.test/1', 'it has no address on the web'],
  ['a script that is gone', {}, 'http://shop.test/app.js', 'the script answered 404'],
  ['no map named', { 'http://shop.test/app.js': BUILT }, 'http://shop.test/app.js', 'the script names no source map'],
  [
    'a map elsewhere',
    { 'http://shop.test/app.js': `${BUILT}//# sourceMappingURL=http://other.test/a.map` },
    'http://shop.test/app.js',
    'its source map is on another origin',
  ],
])('%s: the server gets the reason', async (_, files, url, missing) => {
  expect((await bring(files as Record<string, string>, url)).upload).toEqual({ url, missing });
});
