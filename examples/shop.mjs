// A shop whose checkout breaks: the server fails, and the page reads its answer all the same.

import { createServer } from 'node:http';

const PAGE = `<!doctype html>
<title>Shop</title>
<h1>Shop</h1>
<button id="help">Help</button>
<button id="checkout">Checkout</button>
<p role="status"></p>
<script>
  const status = document.querySelector('[role=status]');
  document.querySelector('#help').onclick = () => {
    status.textContent = 'Call us';
  };
  document.querySelector('#checkout').onclick = async () => {
    const quote = await (await fetch('/api/quote')).json();
    status.textContent = 'Total ' + quote.total.amount;
  };
</script>`;

export function openShop() {
  const server = createServer((request, response) => {
    const isQuote = request.url === '/api/quote';
    response.writeHead(isQuote ? 500 : 200, { 'Content-Type': isQuote ? 'application/json' : 'text/html' });
    response.end(isQuote ? '{"error":"the price list of this season is empty"}' : PAGE);
  });
  return new Promise((resolve) => server.listen(0, 'localhost', () => resolve(server)));
}
