import { isWrittenByHand } from 'gasoline-capture/source-mapping-url';
import { afterEach, expect, test, vi } from 'vitest';
import { DebugLog } from '../src/background/debug-log';
import { ScriptTexts } from '../src/background/enrich/script-texts';
import { SourceMaps } from '../src/background/enrich/source-maps';
import { mapOfModule } from '../src/background/enrich/webpack-modules';
import type { Server } from '../src/background/server';

const PAGE = { tabId: 1, id: 'document', pageId: 'document.7', url: 'http://localhost:3000/shop' };
const MAP = '{"version":3,"sources":["a.ts"],"mappings":"AAAA"}';
const BUILT = `${'a();'.repeat(500)}\n`;

type Answer = Response | ((init: RequestInit) => Promise<Response>);

afterEach(() => vi.unstubAllGlobals());

/** Requests maps from a web with these answers; returns what was uploaded to the server and what was fetched. */
async function bring(web: Record<string, Answer>, wanted: string[], { allowed = true, status = 200 } = {}) {
  const fetched: Array<{ url: string; credentials: string | undefined }> = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    fetched.push({ url, credentials: init.credentials });
    const answer = web[url] ?? new Response('', { status: 404 });
    const response = typeof answer === 'function' ? await answer(init) : answer;
    Object.defineProperty(response, 'url', { value: url });
    return response;
  });
  const posted: Array<Record<string, string>> = [];
  const withToken = async (_: string, { body }: RequestInit) => {
    const { page_id, ...upload } = JSON.parse(body as string);
    expect(page_id).toBe(PAGE.pageId);
    posted.push(upload);
    return new Response('{}', { status: posted.length > 1 ? 200 : status });
  };
  const maps = new SourceMaps({
    server: () => ({ withToken }) as unknown as Server,
    texts: new ScriptTexts(() => 'http://127.0.0.1:7890'),
    log: new DebugLog(),
    allowed: () => allowed,
  });
  maps.remember(wanted, PAGE);
  await maps.bring(wanted);
  return { posted, fetched };
}

test('a map beside its script is fetched with the cookies that the page itself would send', async () => {
  const url = 'http://localhost:3000/js/app.js?v=1';
  const { posted, fetched } = await bring(
    {
      [url]: new Response(`${BUILT}//# sourceMappingURL=app.js.map`),
      'http://localhost:3000/js/app.js.map': new Response(MAP),
    },
    [url],
  );
  expect(posted).toEqual([{ url, map: MAP, map_url: 'http://localhost:3000/js/app.js.map' }]);
  expect(fetched.map(({ credentials }) => credentials)).toEqual(['include', 'include']);
});

test('a script on another host gets no cookies, and its map has to be on the same host', async () => {
  const url = 'https://cdn.test/app.js';
  const { posted, fetched } = await bring(
    { [url]: new Response(`${BUILT}//# sourceMappingURL=https://maps.test/app.js.map`) },
    [url],
  );
  expect(posted).toEqual([{ url, missing: 'its source map is on another origin' }]);
  expect(fetched).toEqual([{ url, credentials: 'omit' }]);
});

test('a map inside its script is found, and so is one that a header names', async () => {
  const inline = 'http://localhost:3000/inline.js';
  const headed = 'http://localhost:3000/headed.js';
  const { posted } = await bring(
    {
      [inline]: new Response(`${BUILT}//# sourceMappingURL=data:application/json;base64,${btoa(MAP)}`),
      [headed]: new Response(BUILT, { headers: { SourceMap: '/maps/headed' } }),
      'http://localhost:3000/maps/headed': new Response(MAP),
    },
    [inline, headed],
  );
  expect(posted).toContainEqual({ url: inline, map: MAP });
  expect(posted).toContainEqual({ url: headed, map: MAP, map_url: 'http://localhost:3000/maps/headed' });
});

test('when there is no map, the server gets the reason', async () => {
  const at = (name: string) => `http://localhost:3000/${name}`;
  const web: Record<string, Answer> = {
    [at('none.js')]: new Response(BUILT),
    [at('lost.js')]: new Response(`${BUILT}//# sourceMappingURL=lost.js.map`),
    [at('broken.js')]: new Response(`${BUILT}//# sourceMappingURL=data:application/json;base64,%%%`),
    [at('local.js')]: new Response(`${BUILT}//# sourceMappingURL=file:///home/me/app.js.map`),
    [at('refused.js')]: () => Promise.reject(new TypeError('Failed to fetch')),
    'http://localhost:7890/ours.js': new Response(''),
  };
  const names = [...Object.keys(web), at('gone.js'), 'webpack-internal:///./src/App.js'];
  const { posted, fetched } = await bring(web, names);
  expect(Object.fromEntries(posted.map(({ url, missing }) => [url?.split('/').at(-1), missing]))).toEqual({
    'none.js': 'the script names no source map',
    'lost.js': 'its source map answered 404',
    'broken.js': 'its inline source map cannot be decoded',
    'local.js': 'its source map has no address on the web',
    'refused.js': 'it could not be fetched',
    'ours.js': 'it is a script of Gasoline itself',
    'gone.js': 'the script answered 404',
    'App.js': 'no script of the page has a source map for this module',
  });
  expect(fetched.some(({ url }) => url.includes(':7890'))).toBe(false);
});

test('a script that takes too long or is too large is given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((millis) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('late', 'TimeoutError')), millis);
    return controller.signal;
  });
  const large = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(4 * 1_048_576)),
  });
  const work = bring(
    {
      'http://localhost:3000/slow.js': (init) =>
        new Promise((_, reject) => {
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
      'http://localhost:3000/large.js': new Response(large),
    },
    ['http://localhost:3000/slow.js', 'http://localhost:3000/large.js'],
  );
  await vi.advanceTimersByTimeAsync(2_000);
  const { posted } = await work;
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(posted).toContainEqual({ url: 'http://localhost:3000/slow.js', missing: 'it took longer than 2 s' });
  expect(posted).toContainEqual({ url: 'http://localhost:3000/large.js', missing: 'the script is larger than 32 MB' });
});

test('scripts are fetched three at a time, at most eight, and each once', async () => {
  let running = 0;
  let most = 0;
  const slow = async () => {
    most = Math.max(most, ++running);
    await new Promise((done) => setTimeout(done, 5));
    running--;
    return new Response(BUILT);
  };
  const names = Array.from({ length: 12 }, (_, index) => `http://localhost:3000/${index}.js`);
  const { posted, fetched } = await bring(Object.fromEntries(names.map((name) => [name, slow])), [
    ...names.slice(0, 2),
    ...names,
  ]);
  expect(most).toBe(3);
  expect(posted).toHaveLength(8);
  expect(fetched).toHaveLength(8);
});

test('where source code may not be read nothing is fetched or reported, and the page itself is never requested again', async () => {
  const url = 'http://localhost:3000/app.js';
  expect(await bring({ [url]: new Response(BUILT) }, [url], { allowed: false })).toEqual({ posted: [], fetched: [] });
  const inline = await bring({}, [`${PAGE.url}#top`]);
  expect(inline.posted).toEqual([{ url: `${PAGE.url}#top`, missing: 'the code is in the page itself' }]);
  expect(inline.fetched).toEqual([]);
});

test('a map that the server rejects is reported as missing, so that it is not requested again', async () => {
  const url = 'http://localhost:3000/app.js';
  const web = () => ({ [url]: new Response(`${BUILT}//# sourceMappingURL=data:application/json,nonsense`) });
  expect((await bring(web(), [url], { status: 400 })).posted[1]).toEqual({
    url,
    missing: 'its source map cannot be read',
  });
  expect((await bring(web(), [url], { status: 413 })).posted[1]).toEqual({
    url,
    missing: 'its source map is too large',
  });
});

test('a script written by hand is its own source', async () => {
  const url = 'http://localhost:3000/plain.js';
  const script = 'function save() {\n  throw new Error("no");\n}\n';
  expect((await bring({ [url]: new Response(script) }, [url])).posted).toEqual([{ url, script }]);
  expect(isWrittenByHand(BUILT)).toBe(false);
});

test('the map of a webpack module is in the text that it is evaluated from', () => {
  const map = (name: string) => `data:application/json;charset=utf-8;base64,${btoa(`{"file":"${name}"}`)}`;
  const module = (name: string) =>
    `eval("code\\n//# sourceMappingURL=${map(name)}//# sourceURL=webpack-internal:///./src/${name}\\n");`;
  const script = ['App.jsx', 'App.js', 'Other.js'].map(module).join('\n');
  expect(mapOfModule(script, 'webpack-internal:///./src/App.js')).toBe('{"file":"App.js"}');
  expect(mapOfModule(script, 'webpack-internal:///./src/Nobody.js')).toBeUndefined();
  // A module without a map must not get that of its neighbour.
  const bare = `${module('App.js')}\neval("code//# sourceURL=webpack-internal:///./src/Bare.js\\n");`;
  expect(mapOfModule(bare, 'webpack-internal:///./src/Bare.js')).toBeUndefined();
});
