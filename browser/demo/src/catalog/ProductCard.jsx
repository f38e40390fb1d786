export function ProductCard({ product, onAdd }) {
  return (
    <article>
      <div className="picture" style={{ background: product.colour }} aria-hidden="true">
        {product.name[0]}
      </div>
      <h2>{product.name}</h2>
      <p>{product.notes}</p>
      <footer>
        <b>€{product.price.toFixed(2)}</b>
        <button type="button" data-testid={`add-${product.id}`} onClick={onAdd}>
          Add to cart
        </button>
      </footer>
    </article>
  );
}
