import { useEffect } from 'react';

export function History({ order }) {
  useEffect(() => {
    if (order.id > 0) throw new Error('effect failed');
  }, [order]);
  return <p>History of {order.id}</p>;
}
