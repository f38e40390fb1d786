// The buffers after a busy afternoon, sent as the extension would send them.

import { WebSocket } from 'ws';
import type { Gasoline } from '../../support/gasoline';

const SHOP = 'http://localhost:5173';

/** Fills the buffers: 1,000 logs, 500 socket events, 100 bodies, 50 actions. */
export async function fill(gasoline: Gasoline): Promise<void> {
  const now = Date.now();
  const at = (share: number) => now - 600_000 + share * 590_000;
  const entries = Array.from({ length: 1_000 }, (_, place) => ({
    ts: at(place / 1_000),
    type: place % 25 === 0 ? 'exception' : 'console',
    level: place % 25 === 0 ? 'error' : place % 9 === 0 ? 'warn' : 'log',
    message:
      place % 25 === 0 ? `TypeError: case ${place % 4} of undefined` : `line ${place} of the console, with some text`,
    url: `${SHOP}/cart`,
    tabId: 1,
  }));
  for (let from = 0; from < entries.length; from += 250) {
    await gasoline.post('/logs', { entries: entries.slice(from, from + 250) });
  }
  await gasoline.post('/websocket-events', {
    events: Array.from({ length: 500 }, (_, place) => ({
      ts: at(place / 500),
      event: 'message',
      id: `socket-${place % 3}`,
      url: `ws://localhost:5173/live/${place % 3}`,
      direction: place % 4 === 0 ? 'outgoing' : 'incoming',
      data: JSON.stringify({ type: 'price', symbol: 'ABC', value: place }),
      size: 48,
    })),
  });
  await gasoline.post('/network-bodies', {
    bodies: Array.from({ length: 100 }, (_, place) => ({
      ts: at(place / 100),
      method: place % 5 === 0 ? 'POST' : 'GET',
      url: `${SHOP}/api/items/${place}`,
      pageUrl: `${SHOP}/cart`,
      status: place % 20 === 0 ? 500 : 200,
      duration: 20 + (place % 7) * 90,
      contentType: 'application/json',
      responseBody: JSON.stringify({ id: place, text: 'x'.repeat(8_000) }),
    })),
  });
  await gasoline.post('/enhanced-actions', {
    actions: Array.from({ length: 50 }, (_, place) => ({
      type: 'click',
      timestamp: at(place / 50),
      url: `${SHOP}/cart`,
      selectors: { role: { role: 'button', name: `Buy ${place}` } },
    })),
  });
}

/** A session that is worth looking into. */
export async function play(gasoline: Gasoline): Promise<void> {
  const now = Date.now();
  const at = (secondsAgo: number) => now - secondsAgo * 1_000;
  const click = (secondsAgo: number, name: string) => ({
    type: 'click',
    timestamp: at(secondsAgo),
    url: `${SHOP}/cart`,
    selectors: { role: { role: 'button', name } },
  });
  await gasoline.post('/enhanced-actions', {
    actions: [
      { type: 'navigate', timestamp: at(88), toUrl: `${SHOP}/`, url: `${SHOP}/` },
      click(71, 'Add to cart'),
      click(58, 'Cart'),
      { ...click(44, ''), type: 'input', value: 'ada@example.com', selectors: { ariaLabel: 'E-mail' } },
      click(31, 'Apply coupon'),
      click(17, 'Pay'),
      click(9, 'Pay'),
    ],
  });
  const request = (
    secondsAgo: number,
    method: string,
    path: string,
    status: number,
    duration: number,
    more: object = {},
  ) => ({
    ts: at(secondsAgo),
    method,
    url: SHOP + path,
    pageUrl: `${SHOP}/cart`,
    status,
    duration,
    contentType: 'application/json',
    requestHeaders: {
      authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      accept: 'application/json',
    },
    responseBody: JSON.stringify({ ok: status < 400, items: [{ id: 7, name: 'Lamp', price: 49 }] }),
    ...more,
  });
  await gasoline.post('/network-bodies', {
    bodies: [
      request(87.6, 'GET', '/api/products', 200, 640),
      request(87.2, 'GET', '/api/session', 200, 120),
      request(86.5, 'GET', '/img/hero.avif', 200, 1_900),
      request(70.8, 'POST', '/api/cart', 201, 260),
      request(57.7, 'GET', '/api/cart', 200, 310),
      request(57.5, 'GET', '/api/recommendations?for=ada@example.com', 200, 4_200),
      request(30.8, 'POST', '/api/coupons', 404, 180, { responseBody: '{"error":"unknown coupon"}' }),
      request(16.8, 'POST', '/api/payments', 502, 3_400, {
        requestBody: '{"card":"4242 4242 4242 4242","password":"hunter22-secret"}',
        responseBody: '{"error":"upstream timed out","trace":"b1946ac9"}',
      }),
      request(29.5, 'GET', '/api/orders?access_token=ghp_16C7e42F292c6912E7710c838347Ae178B4a', 200, 240),
      request(12.1, 'POST', '/collect', 204, 90, {
        url: 'http://stats.example.com/collect?mail=ada@example.com',
        requestBody: '{"user":"ada@example.com","card":"4242 4242 4242 4242"}',
        responseBody: '',
      }),
      request(8.8, 'POST', '/api/payments', 502, 3_100, { responseBody: '{"error":"upstream timed out"}' }),
    ],
  });
  const stack =
    "TypeError: Cannot read properties of undefined (reading 'total')\n    at renderTotal (http://localhost:5173/assets/app.js:1:200)\n    at Checkout (http://localhost:5173/assets/app.js:1:320)";
  await gasoline.post('/logs', {
    entries: [
      { ts: at(87), type: 'console', level: 'log', message: '[shop] started in development mode', url: `${SHOP}/` },
      {
        ts: at(57),
        type: 'console',
        level: 'warn',
        message: 'Deprecated: useCart() without a region',
        url: `${SHOP}/cart`,
      },
      {
        ts: at(41),
        type: 'console',
        level: 'log',
        message: 'signed in with eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDB9.c2lnbmF0dXJlLW9mLWFkYQ',
        url: `${SHOP}/cart`,
      },
      {
        ts: at(30.5),
        type: 'console',
        level: 'error',
        message: 'Coupon WELCOME10 could not be applied',
        url: `${SHOP}/cart`,
      },
      ...[13.3, 5.6].map((secondsAgo, place) => ({
        id: `crash-${place}`,
        ts: at(secondsAgo),
        type: 'exception',
        level: 'error',
        message: "TypeError: Cannot read properties of undefined (reading 'total')",
        url: `${SHOP}/cart`,
        filename: `${SHOP}/assets/app.js`,
        lineno: 1,
        colno: 200,
        stack,
        _aiContext: {
          summary:
            'TypeError in renderTotal at src/checkout/Summary.tsx:24: the answer of POST /api/payments (502) has no `order`, whose `total` is read.',
          sourceSnippets: [
            {
              file: 'src/checkout/Summary.tsx',
              line: 24,
              column: 38,
              snippet: [
                { line: 21, text: 'export function Summary({ payment }: Props) {' },
                { line: 22, text: '  const { order } = payment;' },
                { line: 23, text: '' },
                { line: 24, text: '  return <strong>{format(order.total)}</strong>;', isError: true },
                { line: 25, text: '}' },
              ],
            },
          ],
          componentAncestry: {
            framework: 'react',
            components: ['App', 'Router', 'CheckoutPage', 'PaymentForm', 'Summary'].map((name) => ({ name })),
          },
        },
      })),
    ],
  });
  const events: object[] = [
    { ts: at(86), event: 'open', id: 'prices', url: 'ws://localhost:5173/prices' },
    { ts: at(80), event: 'open', id: 'chat', url: 'ws://localhost:5173/support' },
  ];
  for (let second = 58; second > 0; second--) {
    for (let message = 0; message < 2 + Math.round(3 * Math.abs(Math.sin(second / 6))); message++) {
      events.push({
        ts: at(second - message / 6),
        event: 'message',
        id: 'prices',
        url: 'ws://localhost:5173/prices',
        direction: message === 0 && second % 5 === 0 ? 'outgoing' : 'incoming',
        data: JSON.stringify({ type: 'price', symbol: 'LAMP', value: 49 + (second % 7) / 10 }),
        size: 43,
      });
    }
  }
  events.push({ ts: at(20), event: 'close', id: 'chat', url: 'ws://localhost:5173/support', code: 1006, reason: '' });
  await gasoline.post('/websocket-events', { events });
  for (let load = 0; load < 9; load++) {
    const slow = load === 8 ? 2.1 : 1 + Math.sin(load) * 0.08;
    await gasoline.post('/performance-snapshot', {
      url: '/cart',
      timestamp: at(600 - load * 60),
      timing: {
        timeToFirstByte: 95 * (1 + Math.sin(load * 2) * 0.1),
        firstContentfulPaint: 420 * slow,
        largestContentfulPaint: 980 * slow,
        domInteractive: 500,
        domContentLoaded: 620,
        load: 1_150 * slow,
      },
      network: { requestCount: 24, transferSize: 410_000, decodedSize: 1_200_000 },
      longTasks: { count: 1, totalBlockingTime: 30, longest: 80 },
      cumulativeLayoutShift: load === 8 ? 0.14 : 0.03,
      interactionToNextPaint: 90 + load * 4,
    });
  }
  await gasoline.post('/performance-snapshot', {
    url: '/',
    timestamp: at(88),
    timing: { timeToFirstByte: 60, firstContentfulPaint: 300, largestContentfulPaint: 700, load: 900 },
  });
}

/** Pretends to be a browser with one captured tab. The returned function disconnects it. */
export async function pretendBrowser(gasoline: Gasoline): Promise<() => void> {
  const socket = new WebSocket(`ws://127.0.0.1:${gasoline.port}/extension/socket`);
  await new Promise((open, fail) => socket.once('open', open).once('error', fail));
  const tab = { id: 1, url: `${SHOP}/cart`, title: 'Lamps & more', active: true, captured: true };
  socket.send(JSON.stringify({ type: 'hello', token: gasoline.token, version: '0.1.0', tabs: [tab], settings: {} }));
  await new Promise((welcome) => socket.once('message', welcome));
  return () => socket.close();
}
