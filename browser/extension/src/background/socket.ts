// The WebSocket to the server. It shows that a browser is connected, and its messages keep this worker alive.

import { HEARTBEAT_SECONDS } from 'gasoline-capture/limits.gen';
import type { FromExtension, PendingQuery, Status, ToExtension } from 'gasoline-capture/wire.gen';
import type { DebugLog } from './debug-log';
import type { Server } from './server';

const FIRST_PAUSE_MILLIS = 500;
/** Trying a port of this machine costs next to nothing; making a developer wait costs more. */
const LONGEST_PAUSE_MILLIS = 5_000;

export interface SocketEvents {
  /** The status that is sent on connecting. */
  status(): Promise<Status>;
  connected(serverVersion: string): void;
  disconnected(problem: string): void;
  /** Called when an AI client queries the live page. */
  asked(query: PendingQuery): void;
}

export class ServerSocket {
  private socket: WebSocket | undefined;
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pause = FIRST_PAUSE_MILLIS;
  private connecting = false;
  /** Grows when the server changes, so that results of an older attempt are ignored. */
  private turn = 0;

  constructor(
    private readonly version: string,
    private readonly log: DebugLog,
    private readonly events: SocketEvents,
  ) {}

  /** Connects, unless it is connected or connecting. */
  async open(server: Server): Promise<void> {
    if (this.connecting || this.socket) return;
    clearTimeout(this.retry);
    this.connecting = true;
    const turn = this.turn;
    try {
      const token = await server.pair(true);
      if (turn !== this.turn) return;
      await this.connect(server, token, turn);
      this.pause = FIRST_PAUSE_MILLIS;
    } catch (error) {
      if (turn === this.turn) this.lost(server, explain(error, server.address));
    } finally {
      if (turn === this.turn) this.connecting = false;
    }
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  send(message: FromExtension): void {
    this.sendText(JSON.stringify(message));
  }

  sendText(message: string): void {
    if (this.isOpen) this.socket?.send(message);
  }

  /** Closes the connection and does not reconnect. */
  close(): void {
    this.turn++;
    this.connecting = false;
    clearTimeout(this.retry);
    clearInterval(this.heartbeat);
    this.socket?.close();
    this.socket = undefined;
    this.pause = FIRST_PAUSE_MILLIS;
  }

  private async connect(server: Server, token: string, turn: number): Promise<void> {
    const socket = new WebSocket(`${server.address.replace('http', 'ws')}/extension/socket`);
    await new Promise<void>((resolve, reject) => {
      socket.onopen = async () => {
        const hello = { type: 'hello', token, version: this.version, ...(await this.events.status()) } as const;
        socket.send(JSON.stringify(hello satisfies FromExtension));
      };
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(String(data)) as ToExtension;
        if (message.type === 'query') return this.events.asked(message.query);
        if (message.type !== 'welcome') return;
        if (turn !== this.turn) return socket.close();
        this.socket = socket;
        this.heartbeat = setInterval(() => this.send({ type: 'heartbeat' }), HEARTBEAT_SECONDS * 1_000);
        this.log.add('info', 'connected', { server: server.address, version: message.version });
        this.events.connected(message.version);
        resolve();
      };
      socket.onclose = ({ reason }) => {
        reject(new Error(reason || 'the connection was refused'));
        if (this.socket !== socket) return;
        this.socket = undefined;
        clearInterval(this.heartbeat);
        this.lost(server, 'The server went away.');
      };
    });
  }

  private lost(server: Server, problem: string): void {
    this.log.add('info', 'not connected', { problem, again_in_ms: this.pause });
    this.events.disconnected(problem);
    this.retry = setTimeout(() => void this.open(server), this.pause);
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MILLIS);
  }
}

function explain(error: unknown, address: string): string {
  const text = error instanceof Error ? error.message : String(error);
  if (/failed to fetch|networkerror|timed? ?out|aborted/i.test(text)) return `Nothing answers at ${address}.`;
  return `The server at ${address} refused the connection: ${text}`;
}
