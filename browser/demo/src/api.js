// Planted: the address contains the key of the recommendations service.

export async function fetchProducts() {
  const response = await fetch('/api/products');
  return response.json();
}

export async function fetchRecommendations() {
  const { recommendationsKey } = window.SHOP;
  const response = await fetch(`/api/recommendations?api_key=${recommendationsKey}`);
  return response.json();
}

export async function requestQuote(items) {
  const response = await fetch('/api/quote', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ items }),
  });
  return response.json();
}
