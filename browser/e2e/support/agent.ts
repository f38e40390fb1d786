// An AI client: the official MCP SDK over stdio, as Claude Code or Cursor would start us.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { BINARY, type Gasoline } from './gasoline';

// biome-ignore lint/suspicious/noExplicitAny: answers are read by tests that say what they expect
export type Answer = Record<string, any>;

export class Agent {
  private readonly client = new Client({ name: 'e2e', version: '1' });

  static async connect(server: Gasoline): Promise<Agent> {
    const agent = new Agent();
    const env = Object.fromEntries(
      Object.entries(server.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    await agent.client.connect(
      new StdioClientTransport({ command: BINARY, args: ['--port', String(server.port)], env, stderr: 'ignore' }),
    );
    return agent;
  }

  /** What the model reads. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const { content } = (await this.client.callTool({ name, arguments: args })) as { content: Array<{ text: string }> };
    return JSON.parse(content[0]?.text ?? '') as Answer;
  }

  /** One entry in full, by its id. */
  async entry(id: string): Promise<Answer> {
    return (await this.call('get_browser_logs', { id })).entry;
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
