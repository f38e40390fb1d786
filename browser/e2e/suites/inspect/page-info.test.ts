import { expect, html, test } from './inspecting';

test('a page is summarized in a few lines', async ({ site, page, pageInfo }) => {
  site.routes.set(
    '/',
    html(`<html lang="de"><title>Konto</title><body style="margin:0;height:3000px">
      <h1 style="margin:0">Konto</h1><h2 hidden>Hidden</h2><h2>${'x'.repeat(150)}</h2>
      <form id="login" action="/login"><input name="user" id="u"><input name="pass" type="password"><button>Go</button></form>
      <form><input id="q"><select name="kind"></select></form>
      <a href="#">a</a><a>no link</a><img src="data:,"><div role="button">b</div>
      <dialog id="d">Really <b>delete</b>?</dialog><div role="dialog" hidden>closed</div>
      <script>d.show(); u.focus(); scrollTo(0, 40);</script>`),
  );
  await page.goto(site.url());
  expect(await pageInfo()).toEqual({
    url: site.url(),
    title: 'Konto',
    readyState: 'complete',
    lang: 'de',
    viewport: { width: 1000, height: 700 },
    scroll: { x: 0, y: 40 },
    documentHeight: 3000,
    focused: '#u',
    dialogs: ['Really delete?'],
    forms: [
      { id: 'login', action: '/login', fields: ['user', 'pass'] },
      { id: '', action: '/', fields: ['q', 'kind'] },
    ],
    headings: ['Konto', 'x'.repeat(100)],
    links: 1,
    images: 1,
    interactiveElements: 7,
  });
});

test('large pages do not cause large answers', async ({ site, page, pageInfo }) => {
  const form = `<form>${'<input name="f">'.repeat(50)}</form>`;
  site.routes.set('/', html(`${'<h2>h</h2>'.repeat(80)}${form.repeat(40)}`));
  await page.goto(site.url());
  const { forms, headings, focused } = await pageInfo();
  expect(forms).toHaveLength(20);
  expect(forms[0]?.fields).toHaveLength(30);
  expect(headings).toHaveLength(30);
  expect(focused).toBeUndefined();
});
