import { findAncestry, fit, fromComponentStack, type Sources } from 'gasoline-capture/components/ancestry';
import type { ComponentTree } from 'gasoline-capture/components/component-tree';
import { framesOf } from 'gasoline-capture/components/frames';
import { type Clues, chainTo, chooseLeaf, unseenComponent } from 'gasoline-capture/components/leaf';
import {
  findFunction,
  functionAround,
  lineStarts,
  nameOffset,
  offsetOf,
  positionOf,
} from 'gasoline-capture/components/positions';
import { Rate } from 'gasoline-capture/components/rate';
import { decodeDataUrl, findSourceMappingUrl } from 'gasoline-capture/source-mapping-url';
import { expect, test } from 'vitest';
import { isSameServer } from '../src/background/enrich/script-texts';
import { kindOf, REDACTED, summarize, wordsOf } from '../src/enrich/state-summary';

const NONE: ReadonlySet<string> = new Set();

test('frames are parsed with and without names, and with brackets and queries in addresses', () => {
  const stack = [
    'TypeError: x (http://nobody:1:1) is not',
    '    at Details (http://localhost/src/Details.jsx?t=1:10:5)',
    '    at async Details.load (http://localhost/(group)/page.js:3:7)',
    '    at http://localhost/a.js:1:2',
    '    at new Promise (<anonymous>)',
    '    at eval (webpack-internal:///./src/App.js:4:9)',
  ].join('\n');
  expect(framesOf(stack)).toEqual([
    { name: 'Details', url: 'http://localhost/src/Details.jsx?t=1', line: 10, column: 5 },
    { name: 'async Details.load', url: 'http://localhost/(group)/page.js', line: 3, column: 7 },
    { name: '', url: 'http://localhost/a.js', line: 1, column: 2 },
    { name: 'eval', url: 'webpack-internal:///./src/App.js', line: 4, column: 9 },
  ]);
});

test('the last comment in a script names its source map', () => {
  const comment = '//# sourceMappingURL=';
  expect(findSourceMappingUrl(`a()\n${comment}one.map\nb()\n${comment}two.js.map?v=1  \n`)).toBe('two.js.map?v=1');
  expect(findSourceMappingUrl('a()\n//@ sourceMappingURL=old.map')).toBe('old.map');
  expect(findSourceMappingUrl('a()\n/*# sourceMappingURL=style.map*/')).toBe('style.map');
  expect(findSourceMappingUrl('a()')).toBeUndefined();
  expect(findSourceMappingUrl(`const text = "${comment}";`)).toBeUndefined();
  expect(findSourceMappingUrl(`eval("x\\n${comment}data:application/json;base64,AAAA")`)).toBeUndefined();
});

test('inline maps are decoded in both encodings', () => {
  const text = '{"names":["größe"]}';
  const base64 = Buffer.from(text).toString('base64');
  expect(decodeDataUrl(`data:application/json;charset=utf-8;base64,${base64}`)).toBe(text);
  expect(decodeDataUrl(`data:application/json,${encodeURIComponent(text)}`)).toBe(text);
  expect(decodeDataUrl('data:application/json;base64,%%%')).toBeUndefined();
  expect(decodeDataUrl('http://localhost/a.map')).toBeUndefined();
});

test('positions are counted as V8 counts them', () => {
  const text = 'one\r\ntwo\nthree\u2028four';
  const starts = lineStarts(text);
  expect(offsetOf(starts, 2, 1)).toBe(text.indexOf('two'));
  expect(offsetOf(starts, 4, 2)).toBe(text.indexOf('our'));
  expect(offsetOf(starts, 9, 1)).toBeUndefined();
  for (const word of ['one', 'two', 'three', 'four']) {
    const { line, column } = positionOf(starts, text.indexOf(word));
    expect(offsetOf(starts, line, column)).toBe(text.indexOf(word));
  }
});

test('a function is found by its beginning, around a position or by its only occurrence', () => {
  const one = 'function a(){x()}';
  const text = `${one};${one};function b(){y()}`;
  const second = text.lastIndexOf(one);
  expect(functionAround(text, one, one.length, second + 13)).toBe(second);
  expect(functionAround(text, one, one.length, text.indexOf('y()'))).toBeUndefined();
  expect(findFunction(text, one)).toBeUndefined();
  expect(findFunction(text, 'function b(')).toBe(text.indexOf('function b('));
});

test('a short name is located where it is written', () => {
  const at = (text: string, start: string, name: string) =>
    expect(nameOffset(text, text.indexOf(start)), text).toBe(text.indexOf(name));
  at('var q=1;function xe(n){}', 'function', 'xe');
  at('async function xe(n){}', 'async', 'xe');
  at('class xe extends y{}', 'class', 'xe');
  at('const xe=(n)=>n', '(n)', 'xe');
  at('let a=1,xe=function(n){}', 'function', 'xe');
  at('var K=class extends y{}', 'class', 'K');
  at('{setup:(e)=>e}', '(e)', 'setup');
  at('foo((n)=>n)', '(n)', '(n)');
});

const DETAILS = 'function Details(){ boom() }';
const INNER = 'function Row(){ boom() }';

function tree(changes: Partial<ComponentTree> = {}): ComponentTree {
  return {
    framework: 'react',
    types: [
      { name: 'App', texts: [] },
      { name: 'Panel', texts: [] },
      { name: 'Details', texts: [[DETAILS, DETAILS.length]] },
    ],
    // Two panels, each with its details.
    components: [
      [0, -1],
      [1, 0],
      [2, 1],
      [1, 0],
      [2, 3],
    ],
    acted: -1,
    focused: -1,
    ...changes,
  };
}

function clues(changes: Partial<Clues> = {}): Clues {
  return { message: 'boom', frames: [], scripts: new Map(), millisSinceAction: 60_000, ...changes };
}

test('the component is the one whose text contains the position of the error', () => {
  const text = `x;\n${DETAILS}`;
  const scripts = new Map([['http://h/a.js', { text, starts: lineStarts(text) }]]);
  const frames = [
    { name: 'boom', url: 'http://h/a.js', line: 1, column: 1 },
    { name: 'q', url: 'http://h/a.js', line: 2, column: 21 },
  ];
  expect(chooseLeaf([tree()], clues({ frames, scripts }))).toEqual({ tree: 0, component: 2 });
  // The instance that the user is working in.
  expect(chooseLeaf([tree({ acted: 4 })], clues({ frames, scripts }))).toEqual({ tree: 0, component: 4 });
});

test('of nested component functions the inner one is chosen', () => {
  const text = `function Table(){ ${INNER} return Row }`;
  const types = [
    { name: 'Table', texts: [[text, text.length] as [string, number]] },
    { name: 'Row', texts: [[INNER, INNER.length] as [string, number]] },
  ];
  const nested = tree({
    types,
    components: [
      [0, -1],
      [1, 0],
    ],
  });
  const scripts = new Map([['http://h/a.js', { text, starts: lineStarts(text) }]]);
  const frames = [{ name: '', url: 'http://h/a.js', line: 1, column: text.indexOf('boom') + 1 }];
  expect(chooseLeaf([nested], clues({ frames, scripts }))).toEqual({ tree: 0, component: 1 });
});

test('otherwise names, files, the last action and the focus decide, in this order', () => {
  const named = [{ name: 'Details.useEffect', url: 'http://h/a.js', line: 1, column: 1 }];
  expect(chooseLeaf([tree({ acted: 1 })], clues({ frames: named }))?.component).toBe(2);
  expect(chooseLeaf([tree()], clues({ message: 'An error occurred in the <Panel> component.' }))?.component).toBe(1);
  const file = [{ name: 'inHandler', url: 'http://h/src/Details.svelte?t=1', line: 1, column: 1 }];
  expect(chooseLeaf([tree()], clues({ frames: file }))?.component).toBe(2);
  expect(chooseLeaf([tree({ acted: 3, focused: 1 })], clues({ millisSinceAction: 1_999 }))?.component).toBe(3);
  expect(chooseLeaf([tree({ acted: 3, focused: 1 })], clues())?.component).toBe(1);
  expect(chooseLeaf([tree()], clues())).toBeUndefined();
});

test('a component that threw before it was mounted is named after the beginning of the stack', () => {
  const frame = (name: string, url = 'http://h/a.js') => ({ name, url, line: 1, column: 1 });
  expect(unseenComponent([frame('Broken'), frame('renderWithHooks')], tree())).toBe('Broken');
  expect(unseenComponent([frame('Broken'), frame('Object.react_stack_bottom_frame')], tree())).toBe('Broken');
  expect(unseenComponent([frame('Details'), frame('renderWithHooks')], tree())).toBeUndefined();
  expect(unseenComponent([frame('Parser'), frame('parse')], tree())).toBeUndefined();
  const svelte = tree({ framework: 'svelte' });
  expect(unseenComponent([frame('Broken', 'http://h/src/Broken.svelte?t=1')], svelte)).toBe('Broken');
  expect(unseenComponent([frame('x', 'http://h/src/Details.svelte')], svelte)).toBeUndefined();
});

test('a chain goes from the root to the component, and ends at an invalid parent', () => {
  expect(chainTo(tree(), 4)).toEqual([0, 3, 4]);
  expect(
    chainTo(
      tree({
        components: [
          [0, 1],
          [0, 0],
        ],
      }),
      1,
    ),
  ).toEqual([0, 1]);
});

test('short names carry their position, and only the ten nearest components are kept', async () => {
  const text = 'var a=1;function xe(){}';
  const components = Array.from({ length: 15 }, (_, index): [number, number] => [index === 14 ? 1 : 0, index - 1]);
  const types = [
    { name: 'Wrapper', texts: [] },
    { name: 'xe', texts: [['function xe(){}', 15] as [string, number]] },
  ];
  const sources: Sources = {
    readComponents: async () => ({
      trees: [tree({ types, components, acted: 14 })],
      actedAt: 1_000,
      scripts: ['http://h/b.js'],
    }),
    describe: async (_, chosen) => chosen.map((index) => ({ propKeys: [`p${index}`] })),
    script: async (url) => (url === 'http://h/b.js' ? { text, starts: lineStarts(text) } : undefined),
  };
  const found = await findAncestry({ message: 'm', stack: '', ts: 1_500 }, [], sources);
  expect(found?.components).toHaveLength(10);
  expect(found?.components.at(-1)).toEqual({ name: 'xe', propKeys: ['p14'], at: 'http://h/b.js:1:18' });
  expect(found?.components[0]).toEqual({ name: 'Wrapper', propKeys: ['p5'] });
});

test("what React's own message lists is taken where the tree is gone", () => {
  const message =
    'The above error occurred in the <Details> component:\n\n    at Details (http://h/a.js:1:1)\n    at div\n    at Panel (http://h/a.js:2:1)\n    at App';
  expect(fromComponentStack(message)?.components.map(({ name }) => name)).toEqual(['App', 'Panel', 'Details']);
  expect(fromComponentStack('something else at Home')).toBeUndefined();
});

test('an ancestry that is too large loses first what is furthest from the error', () => {
  const propKeys = Array.from({ length: 20 }, (_, index) => `aVeryLongPropertyNameWithNumber${index}`);
  const fitted = fit({
    framework: 'react',
    components: Array.from({ length: 10 }, (_, index) => ({ name: `C${index}`, propKeys: [...propKeys] })),
  });
  expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(5_120);
  expect(fitted.components[0]?.propKeys).toBeUndefined();
  expect(fitted.components.at(-1)?.propKeys).toEqual(propKeys);
});

test('five errors a second and thirty a minute get context in each tab', () => {
  let now = 0;
  const rate = new Rate(() => now);
  expect(Array.from({ length: 7 }, () => rate.allows(1, 'a')).filter(Boolean)).toHaveLength(5);
  expect(rate.allows(2, 'b')).toBe(true);
  expect(rate.allows(1, 'the next page')).toBe(true);
  let allowed = 6;
  for (now = 1_000; now < 59_000; now += 500) if (rate.allows(1, 'a')) allowed++;
  expect(allowed).toBe(30);
  expect(rate.skipped).toBeGreaterThan(2);
});

test('our own server is recognised by every name of this machine', () => {
  expect(isSameServer('http://localhost:7890/a.js', 'http://127.0.0.1:7890')).toBe(true);
  expect(isSameServer('http://[::1]:7890/a.js', 'http://127.0.0.1:7890')).toBe(true);
  expect(isSameServer('http://localhost:3000/a.js', 'http://127.0.0.1:7890')).toBe(false);
});

test('the state slice has what the message mentions, what shows how things went, and what just changed', () => {
  const state = {
    auth: { user: null, token: 'eyJhbGciOi', loading: false, error: 'Request failed with status 401' },
    cart: { items: [1, 2], total: 3, coupon: 'x' },
    ui: { theme: 'dark', setTheme: () => {} },
    ready: true,
  };
  const snapshot = summarize('redux', state, "Cannot read 'user' of auth", new Set(['cart.total']));
  expect(snapshot.keys).toEqual({
    auth: { type: 'object', keys: ['user', 'token', 'loading', 'error'] },
    cart: { type: 'object', keys: ['items', 'total', 'coupon'] },
    ui: { type: 'object', keys: ['theme', 'setTheme'] },
    ready: { type: 'boolean' },
  });
  expect(snapshot.relevantSlice).toEqual({
    'auth.loading': false,
    'auth.error': 'Request failed with status 401',
    'auth.user': null,
    'auth.token': REDACTED,
    'cart.total': 3,
  });
});

test('a state stays within its limits, and its getters are not called', () => {
  const wide = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [
      `slice${index}`,
      Object.fromEntries(Array.from({ length: 30 }, (_, inner) => [`someErrorNumber${inner}`, 'x'.repeat(500)])),
    ]),
  );
  let asked = false;
  Object.defineProperty(wide, 'errors', {
    enumerable: true,
    get() {
      asked = true;
    },
  });
  const snapshot = summarize('redux', wide, '', NONE);
  expect(JSON.stringify(snapshot).length).toBeLessThanOrEqual(5_120);
  expect(Object.keys(snapshot.relevantSlice)).toHaveLength(10);
  expect(Object.values(snapshot.relevantSlice).every((value) => String(value).length <= 200)).toBe(true);
  expect(asked).toBe(false);
});

test('messages are split into words, and values are classified', () => {
  expect([...wordsOf("Cannot read cartItems of '/api/auth'")]).toEqual(
    expect.arrayContaining(['cartitems', 'cart', 'items', 'auth']),
  );
  expect([null, [], new Date(), new Map(), 1].map(kindOf)).toEqual(['null', 'array', 'date', 'map', 'number']);
});
