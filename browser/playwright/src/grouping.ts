// Groups failures by what their messages have in common. Used when Playwright's own messages are all there is.

export interface OwnFailure {
  title: string;
  message: string;
}

const SHOWN_CHARS = 200;

export function groupFailures(failures: OwnFailure[]): string {
  const groups = new Map<string, OwnFailure[]>();
  for (const failure of failures) {
    const key = cause(failure.message);
    groups.set(key, [...(groups.get(key) ?? []), failure]);
  }
  const count = failures.length;
  const lines = [
    `${count} ${count === 1 ? 'test' : 'tests'} failed, ${groups.size} different ${groups.size === 1 ? 'message' : 'messages'}:`,
  ];
  for (const [key, members] of [...groups].sort(([, a], [, b]) => b.length - a.length)) {
    lines.push('', `${members.length} × ${key}`, ...members.map(({ title }) => `    ${title}`));
  }
  return lines.join('\n');
}

/** The first lines that say what happened, without details that differ from test to test. */
function cause(message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours begin with
  const lines = message.replace(/\u001b\[[\d;]*m/g, '').split('\n');
  const first = lines.find((line) => line.trim()) ?? 'no message';
  const facts = lines.filter((line) => /^(Locator|Expected|Received)\b/.test(line));
  return [first, ...facts]
    .join(' | ')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '[uuid]')
    .replace(/(:\d{4,5})(?=\/|\b)/g, ':[port]')
    .replace(/\b\d{5,}\b/g, '[number]')
    .slice(0, SHOWN_CHARS);
}
