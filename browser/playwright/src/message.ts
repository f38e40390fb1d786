// The message of a failed test as plain text.

export interface Outcome {
  status?: string | undefined;
  expectedStatus: string;
  errors: ReadonlyArray<{ message?: string; value?: unknown }>;
}

/** All of its errors: failed soft assertions, the error that ended the test, and errors of hooks after that. */
export function messageOf({ status, expectedStatus, errors }: Outcome): string | undefined {
  const messages = errors.map(({ message, value }) => plain(message ?? String(value ?? ''))).filter(Boolean);
  if (messages.length > 0) return messages.join('\n\n');
  return status === 'passed' && expectedStatus === 'failed' ? 'expected to fail, but passed' : undefined;
}

/** Removes the colours of Playwright's messages. */
function plain(message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours begin with
  return message.replace(/\u001b\[[\d;]*m/g, '');
}
