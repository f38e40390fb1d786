import { OrderSummary } from './OrderSummary.jsx';

export function CheckoutPanel({ order, onClose }) {
  return (
    <section className="checkout" aria-label="Checkout">
      <h2>Your order</h2>
      <OrderSummary order={order} />
      <button type="button" data-testid="close" onClick={onClose}>
        Keep shopping
      </button>
    </section>
  );
}
