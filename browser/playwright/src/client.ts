// The server, over HTTP, with the full token: we are no page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateDir } from './run';

const TIMEOUT_MILLIS = 10_000;

export type Health = 'ours' | 'other-token' | 'foreign' | 'none';

export class Client {
  constructor(readonly port: number) {}

  /** Read each time: a server that is just starting writes it. */
  private get token(): string {
    if (process.env.GASOLINE_TOKEN) return process.env.GASOLINE_TOKEN;
    try {
      return readFileSync(join(stateDir(), 'token'), 'utf8').trim();
    } catch {
      return '';
    }
  }

  /** Who answers at the port. Our token is shown only to those who say that they are Gasoline. */
  async health(): Promise<Health> {
    try {
      const response = await fetch(`${this.address}/health`, { signal: AbortSignal.timeout(2_000) });
      const { service } = (await response.json()) as { service?: string };
      if (service !== 'gasoline') return 'foreign';
      const known = await this.request('GET', '/health');
      return 'uptime_seconds' in ((await known.json()) as object) ? 'ours' : 'other-token';
    } catch (error) {
      return error instanceof TypeError ? 'none' : 'foreign';
    }
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return (await this.text('POST', path, typeof body === 'string' ? body : JSON.stringify(body), JSON.parse)) as T;
  }

  get(path: string): Promise<string> {
    return this.text('GET', path, undefined, (text) => text);
  }

  private async text<T>(method: string, path: string, body: string | undefined, read: (text: string) => T): Promise<T> {
    const response = await this.request(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Refused(response.status, text);
    return read(text);
  }

  private get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  private request(method: string, path: string, body?: string): Promise<Response> {
    return fetch(this.address + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(TIMEOUT_MILLIS),
    });
  }
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`the server answered ${status}: ${text.slice(0, 200)}`);
  }
}
