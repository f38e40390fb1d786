// Planted bugs, triggered as a user would, and what one call says about each.

import type { Page } from '@playwright/test';
import { build } from 'esbuild';
import type { Answer } from '../../support/agent';
import { json, type Site } from '../../support/site';
import { expect, test } from '../../support/test';

/** A token that expired in 2020; generated here, so that the repository contains none. */
const EXPIRED = ['{"alg":"HS256","typ":"JWT"}', '{"sub":"ada","exp":1600000000}', 'a signature of some length']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

interface Shop {
  /** Answers the first request, which was held back. */
  answerFirst(): void;
}

function routes(site: Site): Shop {
  let answerFirst = () => {};
  const mayAnswerFirst = new Promise<void>((done) => {
    answerFirst = done;
  });
  site.routes.set('GET /api/cart', (_, response) => json(response, null, 500));
  site.routes.set('GET /prices', (_, response) => json(response, { tea: 3 }));
  site.routes.set('GET /api/products', (_, response) => json(response, { products: [{ name: 'tea' }], page: 1 }));
  site.routes.set('POST /api/login', (_, response) => json(response, { token: EXPIRED }));
  site.routes.set('GET /api/me', (_, response) => json(response, { message: 'jwt expired' }, 401));
  site.routes.set('GET /api/search', async (request, response) => {
    const text = new URL(request.url ?? '', 'http://x').searchParams.get('q') ?? '';
    // The first search is answered when the page has shown the second.
    if (text.length === 1) await mayAnswerFirst;
    json(response, [{ name: text, title: `About ${text}` }]);
  });
  site.routes.set('POST /api/orders', (_, response) => json(response, { errors: { email: 'is required' } }, 422));
  site.sockets.set('/live', (socket) => void setTimeout(() => socket.terminate(), 100));
  return { answerFirst };
}

interface Bug {
  name: string;
  drive(page: Page, shop: Shop): Promise<void>;
  /** The error that the developer sees. */
  error: string;
  /** Parts that the answer must contain, anywhere. */
  says: (string | RegExp)[];
  confidence?: string;
  /** The cause of the error, not only its words. */
  because?: RegExp;
  code?: string;
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click();

const BUGS: Bug[] = [
  {
    name: 'a null body after a 500',
    drive: press('Show cart'),
    error: "reading 'lines'",
    says: ['GET /api/cart', '500', 'null', 'Show cart'],
    because: /`showCart` asked for it/,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source line as it stands
    code: 'output.textContent = `${cart.lines.length} lines`;',
  },
  {
    name: 'an origin that does not allow the page',
    drive: press('Load prices'),
    error: 'Failed to fetch',
    says: ['CORS', 'Access-Control-Allow-Origin', 'http://api.test', 'Load prices'],
  },
  {
    name: 'an answer of another shape',
    drive: press('List products'),
    error: 'map is not a function',
    says: ['GET /api/products', 'object with `products`, `page`, not a list'],
    because: /`listProducts` asked for it/,
  },
  {
    name: 'an expired token',
    drive: press('Open profile'),
    error: 'could not be loaded (401)',
    says: ['GET /api/me', '401', 'the token has expired (valid until 2020-09-13'],
  },
  {
    name: 'answers in the wrong order',
    async drive(page, shop) {
      await page.locator('#search').pressSequentially('te');
      await expect(page.locator('output')).toHaveText('About te');
      shop.answerFirst();
    },
    error: "reading 'title'",
    says: ['wrong order', '/api/search?q=t →', '/api/search?q=te →'],
  },
  {
    name: 'a socket that broke',
    drive: press('Go live'),
    error: 'Live prices stopped',
    says: ['/live', 'closed with 1006', 'without a closing message'],
  },
  {
    name: 'a chunk that is gone',
    drive: press('Open report'),
    error: 'dynamically imported module',
    says: ['/assets/Report-3f2a.js could not be loaded'],
  },
  {
    name: 'a payload that the server refuses',
    drive: press('Place order'),
    error: 'The order was not accepted',
    says: ['POST /api/orders', '422', 'is required', 'mail'],
    because: /`placeOrder` asked for it/,
  },
];

for (const bug of BUGS) {
  test(`${bug.name} is found in one call`, async ({ page, site, agent, settings, eventually }) => {
    const shop = routes(site);
    await settings({ captureNetworkBodies: true });
    await page.goto(site.url());
    await page.evaluate(
      (address) => {
        document.body.dataset.prices = address;
      },
      site.url('/prices', 'api.test'),
    );
    await bug.drive(page, shop);
    // The page's source arrives shortly after the error.
    const complete = (answer: Answer) =>
      answer.error?.message?.includes(bug.error) &&
      (!bug.code || answer.error.code) &&
      bug.says.every((words) => JSON.stringify(answer).match(escaped(words)));
    await eventually('diagnose', {}, complete);
    check(bug, await agent.call('diagnose'));
  });
}

function check(bug: Bug, answer: Answer): void {
  const text = JSON.stringify(answer);
  expect(text.length / 4, text).toBeLessThanOrEqual(500);
  expect(answer.confidence, text).toBe(bug.confidence ?? 'high');
  if (bug.because) expect(answer.because.join('\n')).toMatch(bug.because);
  if (bug.code) expect(answer.error.code).toBe(bug.code);
  expect(answer.error.ts).toBeTruthy();
}

function escaped(words: string | RegExp): RegExp {
  return typeof words === 'string' ? new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : words;
}

test('a component that renders without end is found in one call', async ({ page, site, agent, eventually }) => {
  const source = `
    import { useState } from 'react';
    import { createRoot } from 'react-dom/client';
    function Counter() {
      const [count, setCount] = useState(0);
      setCount(count + 1);
      return <p>{count}</p>;
    }
    function App() {
      const [open, setOpen] = useState(false);
      return open ? <Counter /> : <button onClick={() => setOpen(true)}>Count</button>;
    }
    createRoot(document.getElementById('root')).render(<App />);`;
  const { outputFiles } = await build({
    stdin: { contents: source, loader: 'jsx', resolveDir: import.meta.dirname, sourcefile: 'src/main.jsx' },
    bundle: true,
    write: false,
    sourcemap: 'inline',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  const script = outputFiles[0]?.text ?? '';
  site.routes.set('/app.js', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script),
  );
  site.routes.set('/endless', (_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end('<div id="root"></div><script src="/app.js"></script>'),
  );
  await page.goto(site.url('/endless'));
  await page.getByRole('button', { name: 'Count' }).click();
  const found = ({ error, cause }: Answer) =>
    error?.message?.includes('Too many re-renders') && cause.includes('src/main.jsx');
  await eventually('diagnose', {}, found);
  const answer = await agent.call('diagnose');
  expect(JSON.stringify(answer).length / 4).toBeLessThanOrEqual(500);
  expect(answer.cause).toMatch(/the component `Counter` \(\S*src\/main\.jsx:4\) sets state while it renders/);
  expect(answer.error.in).toBe('App > Counter');
  expect(answer.action.text).toBe('click button "Count"');
  expect(answer.confidence).toBe('high');
});
