import { useEffect, useState } from 'react';
import { fetchProducts, fetchRecommendations } from './api.js';
import { ProductCard } from './catalog/ProductCard.jsx';
import { Recommendations } from './catalog/Recommendations.jsx';
import { CheckoutButton } from './checkout/CheckoutButton.jsx';
import { CheckoutPanel } from './checkout/CheckoutPanel.jsx';

export function Shop() {
  const [products, setProducts] = useState([]);
  const [tips, setTips] = useState([]);
  const [cart, setCart] = useState([]);
  const [order, setOrder] = useState(null);

  useEffect(() => {
    fetchProducts().then(setProducts);
    fetchRecommendations().then(setTips);
  }, []);

  return (
    <>
      <header>
        <strong>Ember &amp; Oak</strong>
        <span>Coffee for people who debug</span>
        <CheckoutButton cart={cart} onOrder={setOrder} />
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
      {order && <CheckoutPanel order={order} onClose={() => setOrder(null)} />}
    </>
  );
}
