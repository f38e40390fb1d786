import React from '../vendor.js';

export function OrderSummary({ quote }) {
  // Planted: since the last deployment the API answers without `shipping`.
  const total = quote.subtotal + quote.shipping.price;
  return (
    <dl>
      <dt>Items</dt>
      <dd>€{quote.subtotal.toFixed(2)}</dd>
      <dt>Shipping, {quote.shipping.eta}</dt>
      <dd>€{quote.shipping.price.toFixed(2)}</dd>
      <dt>Total</dt>
      <dd data-testid="total">€{total.toFixed(2)}</dd>
    </dl>
  );
}
