// Planted: since the last release the API answers without `shipping`.

export function orderTotal(quote) {
  return quote.subtotal + quote.shipping.price;
}
