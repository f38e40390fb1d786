export function Recommendations({ tips }) {
  return (
    <aside>
      <h2>Goes well with it</h2>
      <ul>
        {tips.map((tip) => (
          <li key={tip}>{tip}</li>
        ))}
      </ul>
    </aside>
  );
}
