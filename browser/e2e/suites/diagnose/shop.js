// Each function has one planted bug; the corpus in corpus.test.ts knows its cause.

const output = document.querySelector('output');
const on = (id, work) => document.getElementById(id).addEventListener('click', () => work());

// The server fails, its body is `null`, and the code reads it all the same.
async function showCart() {
  const response = await fetch('/api/cart');
  const cart = await response.json();
  output.textContent = `${cart.lines.length} lines`;
}

// The price service is on another origin, which does not allow this page.
async function loadPrices() {
  const response = await fetch(document.body.dataset.prices);
  output.textContent = await response.text();
}

// The list is inside an object, the code expects it bare.
async function listProducts() {
  const response = await fetch('/api/products');
  const products = await response.json();
  output.textContent = products.map((product) => product.name).join(', ');
}

// The token that the login gave has expired.
async function openProfile() {
  const { token } = await (await fetch('/api/login', { method: 'POST', body: '{}' })).json();
  const response = await fetch('/api/me', { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`The profile could not be loaded (${response.status})`);
  output.textContent = (await response.json()).name;
}

// Answers may come in another order than they were asked for: the older one wins, and has no such entry.
let wanted = '';
async function search(text) {
  wanted = text;
  const hits = await (await fetch(`/api/search?q=${text}`)).json();
  const exact = hits.find((hit) => hit.name === wanted);
  output.textContent = exact.title;
}

// The server drops the connection.
function goLive() {
  const socket = new WebSocket(`ws://${location.host}/live`);
  socket.onclose = () => {
    throw new Error('Live prices stopped');
  };
}

// The chunk is not on the server any more.
async function openReport() {
  const { show } = await import('/assets/Report-3f2a.js');
  show(output);
}

// A field is called by another name than the server wants.
async function placeOrder() {
  const response = await fetch('/api/orders', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ mail: 'ada@shop.example', items: [7] }),
  });
  if (!response.ok) throw new Error('The order was not accepted');
}

on('cart', showCart);
on('prices', loadPrices);
on('products', listProducts);
on('profile', openProfile);
on('live', goLive);
on('report', openReport);
on('order', placeOrder);
document.getElementById('search').addEventListener('input', (event) => void search(event.target.value));
