// An AI client: the official MCP SDK over stdio, as Claude Code or Cursor would start the bridge.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { BINARY, type Gasoline } from './gasoline';

// biome-ignore lint/suspicious/noExplicitAny: answers are read by tests that say what they expect
export type Answer = Record<string, any>;

interface Content {
  type: string;
  text?: string;
  data?: string;
  mimeType?: string;
}

export class Agent {
  private client = new Client({ name: 'e2e', version: '1' });
  private connected: Promise<void> | undefined;

  constructor(private readonly server: Gasoline) {}

  /** On the first call. An attached client restarts a server that crashes, which some tests do not want. */
  private async connect(): Promise<void> {
    const { server } = this;
    const env = Object.fromEntries(
      Object.entries(server.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    await this.client.connect(
      new StdioClientTransport({ command: BINARY, args: ['--port', String(server.port)], env, stderr: 'ignore' }),
    );
  }

  /** The answer as the model reads it. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const { content } = await this.raw(name, args);
    return JSON.parse(content[0]?.text ?? '') as Answer;
  }

  /** The complete answer. */
  async raw(name: string, args: Record<string, unknown> = {}): Promise<{ content: Content[] }> {
    this.connected ??= this.connect();
    await this.connected;
    return (await this.client.callTool({ name, arguments: args })) as { content: Content[] };
  }

  /** Calls back for notifications of the server, besides those that the SDK handles. */
  onNotification(listener: (method: string, params: Answer) => void): void {
    this.client.fallbackNotificationHandler = async ({ method, params }) => listener(method, params ?? {});
  }

  /** One entry in full, by its id. */
  async entry(id: string): Promise<Answer> {
    return (await this.call('get_browser_logs', { id })).entry;
  }

  async close(): Promise<void> {
    await this.client.close();
    this.client = new Client({ name: 'e2e', version: '1' });
    this.connected = undefined;
  }
}
