// The real binary: a server with its own state directory, and the extension that is configured for it.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from './temporary';

const BINARY = resolve(process.env.GASOLINE_BINARY ?? join(import.meta.dirname, '../../../target/debug/gasoline'));

export interface Options {
  sites?: string[];
  bodies?: boolean;
  /** Additional flags for Chromium. */
  flags?: string[];
}

export class Gasoline {
  readonly state = temporaryFolder('state');
  port = 0;
  private process: ChildProcess | undefined;

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, GASOLINE_STATE_DIR: this.state, GASOLINE_PORT: String(this.port) };
  }

  get pid(): number | undefined {
    return this.process?.pid;
  }

  get token(): string {
    return readFileSync(join(this.state, 'token'), 'utf8').trim();
  }

  /** Starts it, on the same port as before if there was one. `more`: additional flags of `serve`. */
  async start(more: string[] = [], env: Record<string, string> = {}): Promise<this> {
    const child = spawn(BINARY, ['serve', '--port', String(this.port), ...more], {
      env: { ...this.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.process = child;
    this.port = await new Promise<number>((found, failed) => {
      let text = '';
      child.stderr.on('data', (chunk) => {
        text += chunk;
        const match = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(text);
        if (match) found(Number(match[1]));
      });
      child.once('exit', (code) => failed(new Error(`the server ended with ${code}: ${text}`)));
    });
    return this;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.process;
    this.process = undefined;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.state, { recursive: true, force: true });
  }

  /** A copy of the extension whose defaults point to this server. */
  extension({ sites = ['local'], bodies = false }: Options = {}): string {
    const out = join(temporaryFolder('extension'), 'extension');
    const flags = ['--port', String(this.port), '--sites', ...sites, ...(bodies ? ['--bodies'] : [])];
    execFileSync(BINARY, ['extension', '--out', out, ...flags], { env: this.env });
    return out;
  }

  async get<T = unknown>(path: string): Promise<T> {
    const response = await fetch(this.address + path, { headers: { Authorization: `Bearer ${this.token}` } });
    return (await response.json()) as T;
  }

  async post<T = unknown>(path: string, body: unknown = {}): Promise<T> {
    const response = await fetch(this.address + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as T;
  }
}

export { BINARY };
