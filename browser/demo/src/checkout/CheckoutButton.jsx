import { requestQuote } from '../api.js';
import { orderTotal } from './order-total.js';

export function CheckoutButton({ cart, onOrder }) {
  async function startCheckout() {
    const quote = await requestQuote(cart.map((product) => product.id));
    onOrder({ ...quote, total: orderTotal(quote) });
  }

  return (
    <button type="button" data-testid="checkout" disabled={cart.length === 0} onClick={startCheckout}>
      Checkout ({cart.length})
    </button>
  );
}
