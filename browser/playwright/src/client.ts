// HTTP requests to the server, with the full token, because this is not a page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateDir } from './run';

const HEALTH_MILLIS = 2_000;
const SEND_MILLIS = 2_000;
/** The server may have to make a report first. */
const ASK_MILLIS = 4_000;
/** When an idle connection turns out to be closed, one more attempt shows whether the server is still there. */
const AGAIN_MILLIS = 100;
/**
 * After an unanswered request, later ones fail at once for this long. Otherwise every test would wait for a timeout.
 */
const GONE_MILLIS = 10_000;

export type Health = 'ours' | 'other-token' | 'foreign' | 'none';

export class Client {
  private goneAt = Number.NEGATIVE_INFINITY;

  constructor(readonly port: number) {}

  /** Read each time, because a server that is just starting writes it. */
  private get token(): string {
    if (process.env.GASOLINE_TOKEN) return process.env.GASOLINE_TOKEN;
    try {
      return readFileSync(join(stateDir(), 'token'), 'utf8').trim();
    } catch {
      return '';
    }
  }

  /** Asks what runs at the port. The token is sent only to a server that identifies itself as Gasoline. */
  async health(): Promise<Health> {
    try {
      const response = await fetch(`${this.address}/health`, { signal: AbortSignal.timeout(HEALTH_MILLIS) });
      const { service } = (await response.json()) as { service?: string };
      if (service !== 'gasoline') return 'foreign';
      const known = await this.fetch('GET', '/health', undefined, HEALTH_MILLIS);
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
    const { ok, status, text } = await this.request(method, path, body);
    if (!ok) throw new Refused(status, text);
    return read(text);
  }

  /** Throws `Gone` at once while the server counts as unreachable. */
  private async request(method: string, path: string, body: string | undefined) {
    if (performance.now() - this.goneAt < GONE_MILLIS) throw new Gone();
    const exchange = async () => {
      const response = await this.fetch(method, path, body, method === 'GET' ? ASK_MILLIS : SEND_MILLIS);
      return { ok: response.ok, status: response.status, text: await response.text() };
    };
    try {
      return await exchange().catch(async (error) => {
        if (!(error instanceof TypeError)) throw error;
        await new Promise((done) => setTimeout(done, AGAIN_MILLIS));
        return exchange();
      });
    } catch {
      this.goneAt = performance.now();
      throw new Gone();
    }
  }

  private get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  private fetch(method: string, path: string, body: string | undefined, millis: number): Promise<Response> {
    return fetch(this.address + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(millis),
    });
  }
}

/** The server does not answer: it ended, or it hangs. */
export class Gone extends Error {
  constructor() {
    super('the server does not answer');
  }
}

export class Refused extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`the server answered ${status}: ${text.slice(0, 200)}`);
  }

  /** True when asking again would not change the answer. */
  get isFinal(): boolean {
    return this.status !== 429 && this.status < 500;
  }
}
