// Who may see the dashboard: the person with the link, once; never a page of another origin, whatever it tries.

import type { Page } from '@playwright/test';
import { link, openDashboard, showSection } from '../../support/dashboard';
import { Site } from '../../support/site';
import { play } from './data';
import { expect, test } from './fixture';

const SECRET = 'WELCOME10';

test('without a link the page says how to get one, and nothing else', async ({ page, gasoline }) => {
  await play(gasoline);
  await page.goto(`${gasoline.address}/`);
  await expect(page.locator('[data-test=locked]')).toContainText('Only the user who runs the server');
  await expect(page.locator('[data-test=open-command]')).toHaveText(`gasoline open --port ${gasoline.port}`);
  expect(await page.content()).not.toContain(SECRET);
  await expect(page.locator('[data-test=panel]')).toHaveCount(0);
});

test('a link opens one dashboard, and its key stays neither in the address nor in the history', async ({
  page,
  context,
  gasoline,
}) => {
  await play(gasoline);
  const address = link(gasoline);
  const key = new URL(address).hash.slice(1);
  await page.goto(address);
  await showSection(page, 'errors');
  await expect(page.locator('[data-test=panel]')).toContainText(SECRET);
  expect(page.url()).toBe(`${gasoline.address}/#errors`);
  expect(
    await page.evaluate(() =>
      JSON.stringify([document.cookie, history.state, { ...localStorage }, { ...sessionStorage }]),
    ),
  ).not.toContain(key);

  const [cookie, ...others] = (await context.cookies(`${gasoline.address}/dashboard/`)).concat(
    (await context.cookies()).filter(({ name }) => name === `gasoline_${gasoline.port}`),
  );
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({
    name: `gasoline_${gasoline.port}`,
    domain: '127.0.0.1',
    httpOnly: true,
    sameSite: 'Strict',
  });
  expect(cookie?.path).toMatch(/^\/dashboard\/[0-9a-f]{32}\/$/);
  expect(cookie?.value).not.toBe(gasoline.token);
  expect(await page.evaluate(() => document.cookie)).toBe('');

  // The page reloads by itself; the link does not work again.
  await page.reload();
  await expect(page.locator('[data-test=line]')).toHaveText('Live');
  await expect(page.getByRole('tab', { selected: true })).toHaveText(/^Errors/);
  const second = await context.newPage();
  await second.goto(address);
  await expect(second.locator('[data-test=locked]')).toContainText('was used before');
  expect(await second.content()).not.toContain(SECRET);
  await second.close();
});

test.describe(() => {
  // Requested while the server is down, as the dashboard does while it waits for a server to start.
  test.use({ expected: /net::ERR_CONNECTION_REFUSED/ });

  test('a server that was restarted requires a new link', async ({ page, gasoline }) => {
    await openDashboard(page, gasoline);
    await gasoline.stop();
    await expect(page.locator('[data-test=line]')).toHaveText('Server not reachable, retrying');
    await gasoline.start(['--max-events-per-second', '0']);
    await expect(page.locator('[data-test=locked]')).toContainText('Only the user who runs the server', {
      timeout: 60_000,
    });
  });
});

/** Everything that a page can try to read an address, from its own origin. */
async function attempts(page: Page, address: string): Promise<string[]> {
  return page.evaluate(async (address) => {
    const got: string[] = [];
    const patience = <T>(promise: Promise<T>) =>
      Promise.race([promise, new Promise<undefined>((done) => setTimeout(() => done(undefined), 1_500))]);
    const note = (how: string, what: unknown) => {
      if (what) got.push(`${how}: ${String(what).slice(0, 200)}`);
    };
    for (const mode of ['cors', 'no-cors', 'same-origin'] as const) {
      for (const method of ['GET', 'POST'] as const) {
        const text = await patience(
          fetch(address, { mode, method, credentials: 'include' }).then(
            async (answer) => (answer.type === 'opaque' ? '' : answer.status) + (await answer.text()),
            () => '',
          ),
        );
        note(`fetch ${mode} ${method}`, text);
      }
    }
    note(
      'event source',
      await patience(
        new Promise((done) => {
          const source = new EventSource(address, { withCredentials: true });
          source.onopen = () => done('open');
          source.addEventListener('news', ({ data }) => done(data));
          source.onerror = () => done(undefined);
        }),
      ),
    );
    for (const kind of ['script', 'img', 'link'] as const) {
      const loaded = await patience(
        new Promise<boolean>((done) => {
          const element = document.createElement(kind);
          element.onload = () => done(true);
          element.onerror = () => done(false);
          if (element instanceof HTMLLinkElement) {
            element.rel = 'stylesheet';
            element.href = address;
          } else {
            element.src = address;
          }
          document.body.append(element);
        }),
      );
      note(kind, loaded ? 'loaded' : '');
    }
    const frame = document.createElement('iframe');
    frame.name = 'inside';
    const framed = new Promise((done) => {
      frame.onload = done;
    });
    frame.src = address;
    document.body.append(frame);
    await patience(framed);
    try {
      note('iframe', frame.contentDocument?.body?.innerText);
    } catch {}
    const form = document.createElement('form');
    Object.assign(form, { method: 'POST', action: address, target: 'inside' });
    document.body.append(form);
    form.submit();
    await new Promise((done) => setTimeout(done, 300));
    try {
      note('form', frame.contentDocument?.body?.innerText);
    } catch {}
    const opened = window.open(address);
    await new Promise((done) => setTimeout(done, 500));
    try {
      note('window', opened?.document?.body?.innerText);
    } catch {}
    opened?.close();
    return got;
  }, address);
}

for (const host of ['127.0.0.1', 'localhost', 'app.test']) {
  test(`a page of ${host} on another port reads nothing, though it knows every address`, async ({
    context,
    page,
    gasoline,
  }) => {
    await play(gasoline);
    await openDashboard(page, gasoline);
    const folder = await page.evaluate(() => localStorage.getItem('gasoline-folder'));
    expect(folder).toMatch(/^\/dashboard\/[0-9a-f]{32}\/$/);
    const site = await Site.open(import.meta.dirname);
    const cookies: string[] = [];
    for (const path of ['/probe', '/dashboard/', '/dashboard/probe']) {
      site.routes.set(path, (request, response) => {
        cookies.push(`${path} ${request.headers.cookie ?? ''}`);
        response.writeHead(204).end();
      });
    }
    const answers: string[] = [];
    const other = await context.newPage();
    other.on('response', async (response) => {
      if (response.url().startsWith(gasoline.address)) answers.push(`${response.status()} ${response.url()}`);
    });
    await other.goto(site.url('/empty.html', host));
    for (const path of ['/', '/open', '/health', '/logs', '/dashboard/-/state', `${folder}state`, `${folder}live`]) {
      expect(await attempts(other, gasoline.address + path), path).toEqual([]);
    }
    expect(answers.length).toBeGreaterThan(20);
    // It can read from its own origin, so the attempts really work.
    expect((await attempts(other, site.url('/empty.html', host))).join()).toMatch(
      /cors GET.*no-cors GET.*same-origin GET/s,
    );
    expect(answers.filter((answer) => answer.startsWith('200'))).toEqual([]);
    // Cookies are not bound to a port; this one is sent to no other server nevertheless.
    await other.evaluate(() => Promise.all(['/probe', '/dashboard/', '/dashboard/probe'].map((path) => fetch(path))));
    expect(cookies.sort()).toEqual(['/dashboard/ ', '/dashboard/probe ', '/probe ']);
    await other.close();
    await site.close();
    // Meanwhile the dashboard itself still works.
    await page.reload();
    await expect(page.locator('[data-test=line]')).toHaveText('Live');
  });
}
