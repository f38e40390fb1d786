import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.stubGlobal('window', {});
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const load = () => import('../src/config');

test('the configuration is read once and removed', async () => {
  const { takeConfig } = await load();
  const send = async () => {};
  Object.assign(window, { __GASOLINE_CI__: { port: 1234 }, __GASOLINE_TEST_ID: 'a test', __gasolineSend: send });
  expect(takeConfig()).toEqual({ config: { port: 1234, testId: 'a test' }, binding: send });
  expect(Object.keys(window)).toEqual([]);
  expect(takeConfig()).toEqual({ config: {}, binding: undefined });
});

test('the id in the config wins over the other global', async () => {
  const { takeConfig } = await load();
  Object.assign(window, { __GASOLINE_CI__: { testId: 'mine' }, __GASOLINE_TEST_ID: 'other' });
  expect(takeConfig().config.testId).toBe('mine');
});

test('captured data stays on this machine', async () => {
  const { serverOf } = await load();
  expect(serverOf({})).toBe('http://127.0.0.1:7890');
  expect(serverOf({ host: 'localhost', port: 1 })).toBe('http://localhost:1');
  expect(serverOf({ host: '[::1]', port: 65_535 })).toBe('http://[::1]:65535');
  for (const host of ['example.com', '127.0.0.1.example.com', 'localhost@example.com']) {
    expect(serverOf({ host })).toBe('http://127.0.0.1:7890');
  }
  for (const port of [0, -1, 65_536, 1.5, Number.NaN, '80@example.com' as never]) {
    expect(serverOf({ port })).toBe('http://127.0.0.1:7890');
  }
});
