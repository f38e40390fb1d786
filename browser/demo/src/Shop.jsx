import { fetchProducts, fetchRecommendations, requestQuote } from './api.js';
import { ProductCard } from './catalog/ProductCard.jsx';
import { Recommendations } from './catalog/Recommendations.jsx';
import { CheckoutPanel } from './checkout/CheckoutPanel.jsx';
import React, { useEffect, useState } from './vendor.js';

export function Shop() {
  const [products, setProducts] = useState([]);
  const [tips, setTips] = useState([]);
  const [cart, setCart] = useState([]);
  const [quote, setQuote] = useState(null);

  useEffect(() => {
    fetchProducts().then(setProducts);
    fetchRecommendations().then(setTips);
  }, []);

  async function startCheckout() {
    setQuote(await requestQuote(cart.map((product) => product.id)));
  }

  return (
    <>
      <header>
        <strong>Ember &amp; Oak</strong>
        <span>Coffee for people who debug</span>
        <button type="button" data-testid="checkout" disabled={cart.length === 0} onClick={startCheckout}>
          Checkout ({cart.length})
        </button>
      </header>
      <main>
        <h1>Fresh this week</h1>
        <div className="products">
          {products.map((product) => (
            <ProductCard key={product.id} product={product} onAdd={() => setCart([...cart, product])} />
          ))}
        </div>
        <Recommendations tips={tips} />
      </main>
      {quote && <CheckoutPanel quote={quote} onClose={() => setQuote(null)} />}
    </>
  );
}
