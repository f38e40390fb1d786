import { useEffect, useState } from 'react';

export function App() {
  const [count, setCount] = useState(0);
  const [items, setItems] = useState([]);
  const [name, setName] = useState('');
  const [answer, setAnswer] = useState('');

  useEffect(() => {
    const controller = new AbortController();
    fetch('/api/items', { signal: controller.signal })
      .then((response) => response.json())
      .then(setItems)
      .catch((error) => {
        if (error.name !== 'AbortError') throw error;
      });
    return () => controller.abort();
  }, []);

  async function submit(event) {
    event.preventDefault();
    const response = await fetch('/api/greet', { method: 'POST', body: JSON.stringify({ name }) });
    setAnswer(await response.text());
    console.log('greeted', { name, status: response.status });
  }

  return (
    <main>
      <h1>first title</h1>
      <button type="button" onClick={() => setCount(count + 1)}>
        count {count}
      </button>
      <ul>
        {items.map(({ id, label }) => (
          <li key={id}>{label}</li>
        ))}
      </ul>
      <form onSubmit={submit}>
        <input name="name" value={name} onChange={(event) => setName(event.target.value)} />
        <button type="submit">greet</button>
      </form>
      <output>{answer}</output>
    </main>
  );
}
