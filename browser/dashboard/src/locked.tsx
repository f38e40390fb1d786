// The page for visitors without access: it only says how to open the dashboard.

export type Why = 'closed' | 'used' | 'away';

const REASONS: Record<Why, string> = {
  closed: 'Only the user who runs the server can see its data. In a terminal on this machine, run:',
  used: 'This link was used before, or its minute has passed. To get a new one, run this in a terminal on this machine:',
  away: 'The server has stopped. To open the dashboard again, run this in a terminal on this machine:',
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
