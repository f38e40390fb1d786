// The extension's own log: a bounded list that the popup can export.

const LINES = 500;

export interface DebugLine {
  ts: string;
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  context?: Record<string, unknown>;
}

export class DebugLog {
  private lines: DebugLine[] = [];
  /** Called for errors and warnings. */
  onTrouble: (line: DebugLine) => void = () => {};

  add(level: DebugLine['level'], message: string, context?: Record<string, unknown>): void {
    const line = { ts: new Date().toISOString(), level, message, ...(context && { context }) };
    this.push(line);
    if (level === 'error' || level === 'warn') this.onTrouble(line);
  }

  /** Adds a line, which may have any shape. */
  push(line: DebugLine | Record<string, unknown>): void {
    this.lines.push(line as DebugLine);
    if (this.lines.length > LINES) this.lines.shift();
  }

  text(): string {
    return this.lines.map((line) => JSON.stringify(line)).join('\n');
  }
}
