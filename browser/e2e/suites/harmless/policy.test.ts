// Pages that allow almost nothing.

import { json } from '../../support/site';
import { blockedScript, html, logged, requested, test } from './same';

const NONCE = 'bm9uY2U';

function page(policy: string, body: string) {
  return html(body, { 'Content-Security-Policy': policy });
}

test('a page with a strict content security policy and Trusted Types behaves the same', async ({ same }) => {
  await same({
    prepare(site, heard) {
      site.routes.set(
        '/',
        page(
          `default-src 'none'; script-src 'nonce-${NONCE}' 'strict-dynamic'; require-trusted-types-for 'script'; trusted-types app; connect-src 'self'; report-uri /csp`,
          `<div id="out"></div>
          <script nonce="${NONCE}">
            console.info('under a strict policy');
            window.seen = [];
            document.addEventListener('securitypolicyviolation', (event) => {
              seen.push([event.violatedDirective, event.blockedURI, event.disposition, event.sample]);
            });
            const policy = trustedTypes.createPolicy('app', { createHTML: (text) => text, createScriptURL: (url) => url });
            document.getElementById('out').innerHTML = policy.createHTML('<b>allowed</b>');
            const attempt = (what, work) => {
              try {
                work();
                seen.push([what, 'done']);
              } catch (error) {
                seen.push([what, error.name, error.message]);
              }
            };
            attempt('a string as HTML', () => { document.getElementById('out').innerHTML = '<i>forbidden</i>'; });
            attempt('another policy', () => trustedTypes.createPolicy('other', {}));
            attempt('eval', () => eval('1 + 1'));
            attempt('new Function', () => new Function('return 1')());
            const script = document.createElement('script');
            script.src = policy.createScriptURL('/more.js');
            document.body.append(script);
          </script>`,
        ),
      );
      site.routes.set('/more.js', (_, response) => {
        response
          .writeHead(200, { 'Content-Type': 'text/javascript' })
          .end(`seen.push(['a script of a script', 'ran']);`);
      });
      site.routes.set('/data', (_, response) => json(response, { allowed: true }));
      site.routes.set('/csp', (_, response, body) => {
        const report = (JSON.parse(body) as { 'csp-report': Record<string, unknown> })['csp-report'];
        heard('report', [report['violated-directive'], report['blocked-uri'], report['script-sample']]);
        response.writeHead(204).end();
      });
    },
    async play(page, site, note) {
      await page.goto(site.url());
      await page.waitForFunction(() =>
        (window as unknown as { seen: unknown[][] }).seen.some(([what]) => `${what}`.endsWith('of a script')),
      );
      const connected = await page.evaluate(async () => [
        await (await fetch('/data')).json(),
        // The policy forbids other origins.
        await fetch(`http://127.0.0.1:${location.port}/data`).catch(
          (error: Error) => `${error.name}: ${error.message}`,
        ),
        await new Promise((done) => {
          const socket = new WebSocket('ws://127.0.0.1:1/');
          socket.onerror = ({ type }) => done(type);
        }).catch((error: Error) => error.name),
      ]);
      note('connected', connected);
      // All events that are known to come; unexpected ones get some time, too.
      await page.waitForFunction(() => (window as unknown as { seen: unknown[] }).seen.length >= 11);
      await page.waitForTimeout(500);
      // The events come in any order.
      const seen = await page.evaluate(() =>
        (window as unknown as { seen: unknown[] }).seen.map((one) => JSON.stringify(one)),
      );
      note('seen', seen.toSorted());
      note('shown', await page.locator('#out').innerHTML());
      note('policies', await page.evaluate(() => document.querySelectorAll('script').length));
    },
    captured: [logged('under a strict policy'), requested('/data')],
  });
});

test('a page with a policy that only reports behaves the same', async ({ same }) => {
  await same({
    prepare(site, heard) {
      site.routes.set(
        '/',
        html('<script>console.log("watched only")</script><h1>watched</h1>', {
          'Content-Security-Policy-Report-Only': `default-src 'self'; script-src 'none'; style-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'; report-uri /csp`,
        }),
      );
      site.routes.set('/csp', (_, response, body) => {
        const report = (JSON.parse(body) as { 'csp-report': Record<string, unknown> })['csp-report'];
        heard('report', [report['violated-directive'], report['blocked-uri'], report['script-sample']]);
        response.writeHead(204).end();
      });
    },
    async play(page, site, note) {
      const observed = page.waitForTimeout(900);
      await page.goto(site.url());
      await observed;
      note('seen', await page.locator('h1').innerText());
    },
    captured: logged('watched only'),
  });
});

test('a document in a sandbox that allows scripts behaves the same', async ({ same }) => {
  await same({
    prepare(site) {
      const headers = { 'Content-Security-Policy': 'sandbox allow-scripts' };
      site.routes.set('/', html('<script>console.log("in a sandbox", origin)</script>', headers));
    },
    async play(page, site, note) {
      await page.goto(site.url());
      note('origin', await page.evaluate(() => origin));
    },
    captured: logged('in a sandbox'),
  });
});

test('a document in a sandbox without scripts behaves the same', async ({ same }) => {
  await same({
    prepare(site) {
      site.routes.set('/quiet', html('<h1>no scripts</h1>', { 'Content-Security-Policy': 'sandbox' }));
      site.routes.set('/', html('<script>console.log("the last page")</script>'));
    },
    async play(page, site, note) {
      await page.goto(site.url('/quiet'));
      note('shown', await page.locator('h1').innerText());
      await page.goto(site.url('/'));
    },
    captured: logged('the last page'),
    limit: (without) => ({
      ...without,
      console: [blockedScript('http://localhost:<site>/quiet'), ...without.console],
    }),
  });
});
