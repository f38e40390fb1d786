import { expect, test } from 'vitest';
import { checkSite, judge, matchPatterns } from '../src/shared/sites';

const LOCAL = { sites: ['local'], blockedSites: [] };

test.each([
  'http://localhost:3000/x',
  'https://localhost/',
  'http://127.0.0.1:8080/',
  'http://[::1]:5173/',
  'http://app.localhost/',
  'http://printer.local/',
  'https://shop.test/',
  'http://10.0.0.7/',
  'http://192.168.178.20:3000/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://169.254.1.1/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
])('%s is a development host', (url) => expect(judge(url, LOCAL)).toMatchObject({ captured: true, reason: 'local' }));

test.each([
  'https://example.com/',
  'http://10.example.com/',
  'http://192.168.example.com/',
  'http://172.15.0.1/',
  'http://172.32.0.1/',
  'http://11.0.0.1/',
  'https://notlocalhost/',
  'https://localhost.evil.com/',
  'https://evil.com/?http://localhost',
  'http://mytest/',
  'http://[2001:db8::1]/',
])('%s is not a development host', (url) =>
  expect(judge(url, LOCAL)).toMatchObject({ captured: false, reason: 'not-listed' }),
);

test.each(['chrome://extensions', 'about:blank', 'file:///x.html', 'https://chromewebstore.google.com/detail/x', ''])(
  '%s cannot be captured',
  (url) =>
    expect(judge(url, { sites: ['all'], blockedSites: [] })).toMatchObject({ captured: false, reason: 'restricted' }),
);

test('a blocked site stays blocked, by host and port', () => {
  const rules = { sites: ['all', 'local'], blockedSites: ['localhost:3000', 'bank.example'] };
  expect(judge('http://localhost:3000/', rules)).toMatchObject({ captured: false, reason: 'blocked' });
  expect(judge('http://localhost:3001/', rules).captured).toBe(true);
  expect(judge('https://bank.example/', rules).captured).toBe(false);
});

test('patterns match subdomains and the domain itself, as those of Chrome do', () => {
  const rules = { sites: ['*.example.com', 'exact.org', 'ported.org:8443', '[::2]:80'], blockedSites: [] };
  for (const url of [
    'https://example.com/',
    'https://a.b.example.com/',
    'http://exact.org:99/',
    'https://ported.org:8443/',
    'http://[::2]/',
  ]) {
    expect(judge(url, rules), url).toMatchObject({ captured: true, reason: 'listed' });
  }
  for (const url of ['https://badexample.com/', 'https://sub.exact.org/', 'https://ported.org/']) {
    expect(judge(url, rules).captured, url).toBe(false);
  }
});

test('match patterns', () => {
  expect(matchPatterns({ sites: ['all'], blockedSites: ['x.org:1'] })).toEqual({
    matches: ['http://*/*', 'https://*/*'],
    excludeMatches: ['http://x.org:1/*', 'https://x.org:1/*'],
  });
  expect(matchPatterns({ sites: [], blockedSites: [] }).matches).toEqual([]);
  // A site that Chrome would reject must not keep the others from being registered.
  const odd = { sites: ['*.example.*', '[1:2]', '1.2.3.999', 'good.org'], blockedSites: ['a*b'] };
  expect(matchPatterns(odd)).toEqual({ matches: ['http://good.org/*', 'https://good.org/*'], excludeMatches: [] });
  expect(matchPatterns(LOCAL).matches).toContain('http://*.localhost/*');
});

test.each([
  ['App.Example.com', { site: 'app.example.com' }],
  ['https://app.example.com/', { site: 'app.example.com' }],
  ['*.example.com', { site: '*.example.com' }],
  ['localhost:3000', { site: 'localhost:3000' }],
  ['[::1]:3000', { site: '[::1]:3000' }],
  ['all', { site: 'all' }],
])('%s is a site', (text, expected) => expect(checkSite(text)).toEqual(expected));

test.each([
  '',
  'a b',
  'https://x.org/path',
  'ex*mple.com',
  'ftp://x',
  '*',
  'host:99999',
  'host:0',
  '1.2.3.999',
  '[1:2]',
])('%j is not a site', (text) => expect(checkSite(text)).toHaveProperty('problem'));

test('our own server is never captured, whatever the settings say', () => {
  const rules = { sites: ['all', 'local', '127.0.0.1:7890'], blockedSites: [], server: 'http://127.0.0.1:7890' };
  for (const url of ['http://127.0.0.1:7890/', 'http://localhost:7890/#errors', 'http://[::1]:7890/open']) {
    expect(judge(url, rules), url).toMatchObject({ captured: false, reason: 'own' });
  }
  for (const url of ['http://127.0.0.1:7891/', 'http://localhost/', 'http://app.test:7890/']) {
    expect(judge(url, rules).captured, url).toBe(true);
  }
  expect(matchPatterns(rules).excludeMatches).toContain('http://127.0.0.1:7890/*');
  expect(matchPatterns(rules).excludeMatches).toContain('http://[::1]:7890/*');
});
