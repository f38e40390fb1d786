// Sends the extension's own errors and warnings to the server. An AI client that wonders why data is missing reads them
// there.

import { EXTENSION_LOGS_PER_POST } from 'gasoline-capture/limits.gen';
import type { DebugLine } from './debug-log';
import type { Server } from './server';

/** Lines wait this long to be sent together. */
const GATHER_MILLIS = 1_000;

export class OwnLogs {
  private waiting: DebugLine[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly server: () => Server) {}

  note(line: DebugLine): void {
    this.waiting = [...this.waiting, line].slice(-EXTENSION_LOGS_PER_POST);
    this.timer ??= setTimeout(() => void this.send(), GATHER_MILLIS);
  }

  /** Lines that cannot be sent wait until the server is back. A failure here is not logged: that would never end. */
  async send(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const lines = this.waiting;
    if (lines.length === 0) return;
    this.waiting = [];
    const sent = await this.server()
      .withToken('/extension-logs', { method: 'POST', body: JSON.stringify({ logs: lines }) })
      .then(
        ({ ok, status }) => ok || (status >= 400 && status < 500 && status !== 429),
        () => false,
      );
    if (!sent) this.waiting = [...lines, ...this.waiting].slice(-EXTENSION_LOGS_PER_POST);
  }
}
