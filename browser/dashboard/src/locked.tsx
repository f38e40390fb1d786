// What everyone sees who may not read: how to open the dashboard, and nothing else.

export type Why = 'closed' | 'used' | 'away';

const REASONS: Record<Why, string> = {
  closed: 'Only whoever runs the server may see what it captured. In a terminal of this machine, run:',
  used: 'This link was used before, or its minute is over. In a terminal of this machine, ask for a new one:',
  away: 'The server went away. In a terminal of this machine, open the dashboard again:',
};

export function Locked({ why }: { why: Why }) {
  const port = location.port === '7890' ? '' : ` --port ${location.port}`;
  return (
    <main class="locked" data-test="locked">
      <img src="/dashboard/mark.svg" alt="" width="48" height="48" />
      <h1>Gasoline</h1>
      <p>{REASONS[why]}</p>
      <p class="command">
        <code data-test="open-command">gasoline open{port}</code>
      </p>
    </main>
  );
}
