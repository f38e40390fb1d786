export function Broken({ order }) {
  if (order.id > 0) throw new Error('render failed');
  return <p>Broken {order.id}</p>;
}
