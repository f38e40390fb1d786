// Facts that no script of a page can read: the flags of its cookies, what it loads unencrypted, the headers of its
// responses.

import { dirname } from 'node:path';
import type { Answer } from '../../support/agent';
import { Site } from '../../support/site';
import { expect, test } from '../../support/test';

test.use({ options: { flags: ['--ignore-certificate-errors'] } });

const PAGE = `<!doctype html><title>Shop</title><h1>Shop</h1>
  <script src="http://cdn.shop.test/lib.js"></script><img src="http://cdn.shop.test/logo.png" alt="">
  <img src="http://localhost:9/pixel.png" alt=""><script>fetch('/again')</script>`;
const SAFE = {
  'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

const told = (answer: Answer, category: string) =>
  (answer.findings as Answer[])
    .filter((finding) => finding.category === category)
    .map(({ severity, title, evidence }) =>
      [severity, title, evidence.cookie ?? evidence.resource_type].join(' ').trim(),
    )
    .sort();
const audit = { severity_min: 'info', checks: ['security_headers', 'cookie_security', 'transport'] };

test('the audit reports everything that is wrong with an encrypted page', async ({ page, eventually }, info) => {
  const site = await Site.open(dirname(info.file), { secure: true });
  site.routes.set('/again', (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html', 'X-Powered-By': 'Express' }).end(''),
  );
  site.routes.set('/', (_, response) => {
    const cookies = ['sid=Q7w2X9r4K1z8; Path=/', 'theme=dark; Secure; HttpOnly; SameSite=Lax'];
    response.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': cookies });
    response.end(PAGE);
  });
  await page.goto(site.url('/', 'shop.test'));
  // Cookies are sent with the page load, which is reported last.
  const answer = await eventually('security_audit', audit, (answer) => told(answer, 'cookie_security').length > 0);
  expect(told(answer, 'security_headers')).toEqual([
    'info No Referrer-Policy',
    'info Server tells what it runs',
    'warning No Content-Security-Policy',
    'warning No Strict-Transport-Security',
    'warning No X-Content-Type-Options: nosniff',
    'warning Page can be framed by any site',
  ]);
  expect(told(answer, 'cookie_security')).toEqual([
    'warning Session cookie without HttpOnly sid',
    'warning Session cookie without SameSite sid',
    'warning Session cookie without Secure sid',
  ]);
  expect(told(answer, 'transport')).toEqual([
    'critical Mixed content: HTTPS page loading HTTP resource script',
    'warning Mixed content: HTTPS page loading HTTP resource image',
  ]);
  expect(JSON.stringify(answer)).not.toContain('Q7w2X9');
  expect(JSON.stringify(answer)).not.toContain('pixel.png');
  await site.close();
});

test('the audit reports nothing about an encrypted page without problems', async ({ page, agent }, info) => {
  const site = await Site.open(dirname(info.file), { secure: true });
  site.routes.set('/', (_, response) => {
    const cookie = 'sid=Q7w2X9r4K1z8; Path=/; Secure; HttpOnly; SameSite=Strict';
    response.writeHead(200, { 'Content-Type': 'text/html', ...SAFE, 'Set-Cookie': cookie });
    response.end("<h1>Shop</h1><script>fetch('/')</script>");
  });
  await page.goto(site.url('/', 'shop.test'));
  await expect.poll(async () => (await agent.raw('check_performance')).content[0]?.text).toContain('of / (page load');
  expect((await agent.call('security_audit', audit)).findings).toEqual([]);
  await site.close();
});

test('the audit reports a development server on this machine only as information', async ({
  page,
  site,
  agent,
  eventually,
}) => {
  await page.goto(site.url());
  // The load is reported last, so all findings are there by then.
  await expect.poll(async () => (await agent.raw('check_performance')).content[0]?.text).toContain('of / (page load');
  await page.evaluate(() => fetch('/page.html'));
  await eventually('get_network_bodies', { url: '/page.html' }, ({ total }) => total > 0);
  const all = await eventually('security_audit', audit, ({ summary }) => summary.total > 0);
  expect(all.summary).toMatchObject({ critical: 0, warning: 0 });
  const { findings, summary } = await agent.call('security_audit', {});
  expect(findings).toEqual([]);
  expect(summary.below_severity_min).toBe(all.summary.total);
});
