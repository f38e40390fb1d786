// HTTP requests to the server: the token, and batches.

import { outcomeOf } from 'gasoline-capture/delivery';
import { SEND_TIMEOUT_MILLIS } from 'gasoline-capture/limits.gen';
import type { SyncReply } from 'gasoline-capture/wire.gen';

export type SendResult =
  | { kind: 'stored'; stored: number; rejected: number; reasons: string[]; mapsWanted: string[] }
  /** The server is running and asks us to wait. */
  | { kind: 'wait'; millis: number }
  | { kind: 'too-large' }
  /** The server cannot parse it; sending it again would not help. */
  | { kind: 'refused'; problem: string }
  /** The server fails on this batch, or on every batch. */
  | { kind: 'broken'; problem: string }
  /** No answer, or an answer of another program. */
  | { kind: 'failed'; problem: string };

export class Server {
  private token: string | undefined;

  constructor(readonly address: string) {}

  /** Returns the access token. The server gives it only to our extension, which it recognises by its origin. */
  async pair(fresh = false): Promise<string> {
    if (fresh) this.token = undefined;
    if (this.token === undefined) {
      const response = await this.request('/pair', { method: 'POST' });
      if (!response.ok) throw new Error(await problemOf(response));
      this.token = ((await response.json()) as { token?: string }).token ?? '';
    }
    return this.token;
  }

  async send(id: string, events: string[]): Promise<SendResult> {
    const body = `{"batch_id":${JSON.stringify(id)},"timestamp":${Date.now()},"events":[${events.join(',')}]}`;
    try {
      const response = await this.withToken('/sync', { method: 'POST', body });
      if (response.ok) {
        const reply = (await response.json()) as SyncReply & { reasons?: string[] };
        return {
          kind: 'stored',
          stored: reply.event_count,
          rejected: reply.rejected,
          reasons: reply.reasons ?? [],
          mapsWanted: reply.source_maps_wanted ?? [],
        };
      }
      const problem = await problemOf(response);
      const outcome = outcomeOf(response.status);
      switch (outcome) {
        case 'wait':
          return { kind: outcome, millis: await retryAfter(response) };
        case 'too-large':
          return { kind: outcome };
        case 'refused':
        case 'broken':
          return { kind: outcome, problem };
      }
      // Another program may hold the port for a while, so retrying makes sense even then.
      return { kind: 'failed', problem };
    } catch (error) {
      return { kind: 'failed', problem: String(error) };
    }
  }

  async health(): Promise<{ version: string }> {
    const response = await this.request('/health', {});
    const health = (await response.json()) as { service?: string; version?: string };
    if (health.service !== 'gasoline') throw new Error('a program other than Gasoline answers at that address');
    return { version: health.version ?? 'unknown' };
  }

  /**
   * Sends a request with the token. If the token is refused, retries once with a fresh one: the server may be a new
   * one.
   */
  async withToken(path: string, init: RequestInit): Promise<Response> {
    const response = await this.request(path, authorized(init, await this.pair()));
    if (response.status !== 401) return response;
    return this.request(path, authorized(init, await this.pair(true)));
  }

  private request(path: string, init: RequestInit): Promise<Response> {
    return fetch(this.address + path, { ...init, cache: 'no-store', signal: AbortSignal.timeout(SEND_TIMEOUT_MILLIS) });
  }
}

function authorized(init: RequestInit, token: string): RequestInit {
  return { ...init, headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` } };
}

const problems = new WeakMap<Response, Record<string, unknown>>();

async function problemOf(response: Response): Promise<string> {
  try {
    const body = (await response.json()) as Record<string, unknown>;
    problems.set(response, body);
    return `${response.status} ${String(body.error ?? '')}`.trim();
  } catch {
    return `${response.status}`;
  }
}

async function retryAfter(response: Response): Promise<number> {
  const millis = problems.get(response)?.retry_after_ms;
  if (typeof millis === 'number') return millis;
  return Number(response.headers.get('Retry-After') ?? 1) * 1_000;
}
