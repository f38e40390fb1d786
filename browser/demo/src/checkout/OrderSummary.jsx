export function OrderSummary({ order }) {
  return (
    <dl>
      <dt>Items</dt>
      <dd>€{order.subtotal.toFixed(2)}</dd>
      <dt>Shipping, {order.shipping.eta}</dt>
      <dd>€{order.shipping.price.toFixed(2)}</dd>
      <dt>Total</dt>
      <dd data-testid="total">€{order.total.toFixed(2)}</dd>
    </dl>
  );
}
