import { Panel } from './Panel.jsx';

export function App({ theme }) {
  return (
    <main className={theme}>
      <h1>Orders</h1>
      <Panel title="latest" />
    </main>
  );
}
