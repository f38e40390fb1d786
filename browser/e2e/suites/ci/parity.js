// What pages do, in one order: each step ends before the next begins, so that two recordings can be laid side by side.

function says() {
  const order = { id: 7, items: [{ sku: 'a', price: 9.5 }], placed: new Date(0), tags: new Set(['new']) };
  order.self = order;
  console.log('order', order, [1, 'two', null, undefined], () => 1);
  console.info('%d of %s', 3, 'five');
  console.debug(document.querySelector('h1'), new Map([['k', 'v']]), Symbol('s'), 12n);
  console.warn('stock is low', { left: 2 });
  console.error('stock is negative', new TypeError('left is -1'));
  console.assert(1 === 2, 'one is not two');
  console.log('Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345');
  for (let time = 0; time < 5; time++) console.log('again and again');
}

function priceOf(order) {
  return order.price.amount;
}

function throws() {
  setTimeout(() => priceOf({}));
}

function rejects() {
  Promise.reject(new RangeError('no such page'));
}

function rejectsAnObject() {
  Promise.reject({ code: 42, reason: 'because' });
}

async function asks(dead) {
  await (await fetch('/api/fine?token=abcdefghijklmnop')).json();
  await fetch('/api/missing');
  await fetch('/api/broken');
  await fetch('/api/login', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: 'Bearer abcdefghijklmnopqrstuvwxyz012345',
      'X-Api-Key': 'key-0123456789abcdef',
      'X-Request-Id': '17',
    },
    body: JSON.stringify({ user: 'ada', password: 'correct horse', remember: true }),
  });
  await fetch('/api/form', { method: 'PUT', body: new URLSearchParams({ a: '1', secret: 'shh' }) });
  await fetch('/api/bytes');
  await fetch(dead).catch(() => {});
  const aborted = new AbortController();
  const never = fetch('/api/never', { signal: aborted.signal }).catch(() => {});
  aborted.abort();
  await never;
}

function asksByXhr() {
  const ask = (method, url, body) =>
    new Promise((done) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      request.setRequestHeader('X-Csrf-Token', 'abcdefghijklmnop');
      request.onloadend = done;
      request.send(body);
    });
  return ask('GET', '/api/fine').then(() => ask('POST', '/api/broken', '{"amount":3}'));
}

function talks() {
  return new Promise((done) => {
    const socket = new WebSocket(`ws://${location.host}/socket?token=abcdefghijklmnop`);
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', password: 'correct horse' }));
    socket.onmessage = ({ data }) => {
      if (data === 'enough') socket.send(new Uint8Array([1, 2, 3]));
    };
    socket.onclose = done;
  });
}

function loads() {
  return new Promise((done) => {
    const image = new Image();
    image.onerror = done;
    image.src = '/missing.png';
    document.body.append(image);
  });
}

function violates(elsewhere) {
  return new Promise((done) => {
    document.addEventListener('securitypolicyviolation', done, { once: true });
    const image = new Image();
    image.src = elsewhere;
    document.body.append(image);
  });
}

function annotates() {
  __gasoline.annotate('cart', { items: 3, password: 'correct horse' });
  console.error('with what is annotated');
}

function moves() {
  history.pushState({}, '', '/parity.html?view=done#end');
}

window.does = {
  says,
  throws,
  rejects,
  rejectsAnObject,
  asks,
  asksByXhr,
  talks,
  loads,
  violates,
  annotates,
  moves,
};
