// Shadow roots and frames are part of the page, and policies and odd names do not prevent queries.

import { expect, html, test } from './inspecting';

test('open shadow roots are searched, even nested ones', async ({ site, page, queryDom }) => {
  site.routes.set(
    '/',
    html(`<x-outer id="outer"><span slot="s">slotted</span></x-outer><p class="hit">plain</p>
      <script>
        const outer = document.getElementById('outer').attachShadow({ mode: 'open' });
        outer.innerHTML = '<div><slot name="s"></slot><x-inner></x-inner><div><p class="hit">one</p></div></div>';
        outer.querySelector('x-inner').attachShadow({ mode: 'open' }).innerHTML = '<p class="hit">two</p>';
      </script>`),
  );
  await page.goto(site.url());
  const { matches, matchCount } = await queryDom({ selector: '.hit' });
  expect(matchCount).toBe(3);
  expect(matches.map(({ selector, text, visible }) => ({ selector, text, visible }))).toEqual([
    { selector: 'p.hit', text: 'plain', visible: true },
    { selector: '#outer >>> p.hit', text: 'one', visible: true },
    { selector: '#outer >>> div > x-inner:nth-child(2) >>> p.hit', text: 'two', visible: true },
  ]);
  const [host] = (await queryDom({ selector: '#outer', include_children: true })).matches;
  expect(host?.text).toBe('slotted two one');
  expect(host?.children?.[0]).toMatchObject({ tag: '#shadow-root', children: [{ tag: 'div' }] });
});

test('selectors distinguish elements at the top of a shadow root from those below', async ({
  site,
  page,
  queryDom,
}) => {
  site.routes.set(
    '/',
    html(`<x-a></x-a><script>
      document.querySelector('x-a').attachShadow({ mode: 'open' }).innerHTML = '<div><div><div>x</div></div></div>';
    </script>`),
  );
  await page.goto(site.url());
  const { matches } = await queryDom({ selector: 'div' });
  const places = await page.evaluate(
    (selectors) => {
      const root = document.querySelector('x-a')?.shadowRoot as ShadowRoot;
      const all = [...root.querySelectorAll('div')];
      return selectors.map((selector) =>
        [...root.querySelectorAll('div')].filter((one) => one.matches(selector)).map((one) => all.indexOf(one)),
      );
    },
    matches.map(({ selector }) => selector.split(' >>> ')[1] as string),
  );
  expect(places).toEqual([[0], [1], [2]]);
});

test('frames of the same origin are searched, and matches have their address and position', async ({
  site,
  page,
  queryDom,
  pageInfo,
}) => {
  site.routes.set(
    '/inner',
    html('<title>Inner</title><button id="go" style="position:absolute;left:10px;top:5px">Go</button>'),
  );
  site.routes.set('/other', html('<button>Secret</button>'));
  site.routes.set(
    '/',
    html(`<body style="margin:0"><iframe id="pay" src="/inner" style="margin:100px 0 0 50px;border:3px solid"></iframe>
      <iframe src="${site.url('/other', 'other.test')}"></iframe><iframe hidden src="/inner"></iframe>`),
  );
  await page.goto(site.url());
  const { matches } = await queryDom({ selector: 'button' });
  expect(matches).toHaveLength(2);
  expect(matches[0]).toMatchObject({
    selector: '#pay >>> #go',
    frame: site.url('/inner'),
    visible: true,
    boundingBox: { x: 63, y: 108 },
  });
  expect(matches[1]).toMatchObject({ visible: false });
  expect((await queryDom({ selector: '.none' })).hint).toContain('1 frame(s) of other origins');

  await page.frames()[1]?.focus('#go');
  expect(await pageInfo()).toMatchObject({ focused: '#pay >>> #go', interactiveElements: 2 });
});

test('fields named like properties do not change answers', async ({ site, page, queryDom, pageInfo, audit }) => {
  const names =
    'attributes id tagName localName querySelectorAll querySelector children childNodes parentElement classList matches getAttribute textContent nodeType ownerDocument getRootNode shadowRoot elements checkVisibility getBoundingClientRect'.split(
      ' ',
    );
  site.routes.set(
    '/',
    html(`<html lang="en"><title>Clobbered</title><main><h1>Form</h1>
      <form id="real" action="/send" class="form">${names.map((name) => `<input name="${name}" aria-label="${name}">`).join('')}</form></main>
      <img name="title" alt=""><img name="body" alt=""><form name="querySelectorAll"></form><form name="defaultView"></form>
      <form name="readyState"></form><form name="activeElement"></form><form name="URL"></form>`),
  );
  await page.goto(site.url());
  const { matches, title } = await queryDom({ selector: 'form', include_children: true, include_styles: true });
  expect(title).toBe('Clobbered');
  expect(matches[0]).toMatchObject({ selector: '#real', tag: 'form', visible: true });
  expect(matches[0]?.attributes).toEqual({ id: 'real', action: '/send', class: 'form' });
  expect(matches[0]?.children).toHaveLength(names.length);
  const info = await pageInfo();
  expect(info).toMatchObject({ title: 'Clobbered', readyState: 'complete', headings: ['Form'] });
  expect(info.forms[0]).toEqual({ id: 'real', action: '/send', fields: names });
  // axe itself uses the document's properties directly.
  await expect(audit()).rejects.toThrow(/^axe could not audit this page: /);
});

test('forms with fields named like properties are audited', async ({ site, page, audit }) => {
  const fields = ['id', 'name', 'title', 'action', 'method', 'attributes', 'children'];
  site.routes.set(
    '/',
    html(`<html lang="en"><title>Form</title><main><h1>Form</h1><form id="real">
      ${fields.map((name) => `<input name="${name}">`).join('')}</form></main>`),
  );
  await page.goto(site.url());
  const [label] = (await audit()).violations;
  expect(label).toMatchObject({ id: 'label', nodeCount: fields.length });
  expect(label?.nodes[0]?.selector).toBe('input[name="id"]');
});

const STRICT =
  "default-src 'none'; script-src 'none'; style-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

test('queries work under strict policies and Trusted Types, and nothing is reported to the page', async ({
  site,
  page,
  queryDom,
  pageInfo,
  audit,
}) => {
  const reports: string[] = [];
  site.routes.set('/report', (_, response, body) => {
    reports.push(body);
    response.writeHead(204).end();
  });
  site.routes.set(
    '/',
    html('<html lang="en"><title>Strict</title><main><h1>Strict</h1><img src="data:,"></main>', {
      'Content-Security-Policy': `${STRICT}; report-uri /report`,
    }),
  );
  await page.goto(site.url());
  await expect.poll(() => reports.length).toBeGreaterThan(0);
  const before = reports.length;
  expect(await queryDom({ selector: 'h1', include_styles: true, include_children: true })).toMatchObject({
    matchCount: 1,
  });
  expect(await pageInfo()).toMatchObject({ title: 'Strict' });
  expect((await audit()).violations.map(({ id }) => id)).toEqual(['image-alt']);
  expect(reports.slice(before)).toEqual([]);
});

test('the page does not notice queries', async ({ site, page, queryDom, pageInfo, audit }) => {
  site.routes.set('/inner', html('<html lang="en"><title>Inner</title><p>inner'));
  site.routes.set(
    '/',
    html(`<html lang="en"><title>Watched</title><main><h1>Watched</h1><iframe src="/inner" title="in"></iframe></main>
      <script>
        window.noticed = [];
        new MutationObserver((all) => noticed.push(...all.map(({ type }) => type)))
          .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        for (const win of [window, frames[0]]) win.addEventListener('message', ({ data }) => noticed.push(String(data)));
        for (const type of ['focus', 'blur', 'scroll', 'resize']) addEventListener(type, () => noticed.push(type), true);
        const { postMessage } = window;
        window.postMessage = (...args) => { noticed.push('posted'); return postMessage(...args); };
      </script>`),
  );
  await page.goto(site.url());
  await page.bringToFront();
  await page.evaluate(() => {
    const top = window as unknown as { noticed: string[] };
    top.noticed.length = 0;
    window.frames[0]?.addEventListener('message', ({ data }) => top.noticed.push(String(data)));
  });
  await queryDom({ selector: '*', include_children: true, include_styles: true });
  await pageInfo();
  await audit();
  expect(
    await page.evaluate(() => {
      const names = ['gasolineInspect', 'gasolineAudit', 'axe'].filter((name) => name in window);
      return [...(window as unknown as { noticed: string[] }).noticed, ...names];
    }),
  ).toEqual([]);
});
