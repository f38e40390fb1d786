// What a test runner said about a failure, as one plain text.

export interface Outcome {
  status?: string | undefined;
  expectedStatus: string;
  errors: ReadonlyArray<{ message?: string; value?: unknown }>;
}

/** All of its errors: an assertion that was soft, the one that ended the test, and what a hook said after that. */
export function messageOf({ status, expectedStatus, errors }: Outcome): string | undefined {
  const messages = errors.map(({ message, value }) => plain(message ?? String(value ?? ''))).filter(Boolean);
  if (messages.length > 0) return messages.join('\n\n');
  return status === 'passed' && expectedStatus === 'failed' ? 'expected to fail, but passed' : undefined;
}

/** Playwright's messages have colours in them. */
function plain(message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours begin with
  return message.replace(/\u001b\[[\d;]*m/g, '');
}
