import { useEffect } from 'react';

export default function Chart({ order }) {
  useEffect(() => {
    if (order.id > 0) throw new Error('chunk failed');
  }, [order]);
  return <p>Chart of {order.id}</p>;
}
