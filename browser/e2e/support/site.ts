// A small web server on loopback: the pages of a suite, and the routes that a test adds.

import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { generate } from 'selfsigned';
import { type WebSocket, WebSocketServer } from 'ws';

export type Route = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.map': 'application/json',
};

export class Site {
  readonly routes = new Map<string, Route>();
  /** The requested paths, with their queries. */
  readonly requests: string[] = [];
  readonly sockets = new Map<string, (socket: WebSocket) => void>();
  private readonly server: Server;
  private readonly upgrades = new WebSocketServer({ noServer: true });

  private constructor(
    private readonly folder: string,
    private readonly certificate?: { private: string; cert: string },
  ) {
    const answer = (request: IncomingMessage, response: ServerResponse) => void this.answer(request, response);
    this.server = certificate
      ? createSecureServer({ key: certificate.private, cert: certificate.cert }, answer)
      : createServer(answer);
    this.server.on('upgrade', (request, raw, head) => {
      const handler = this.sockets.get(new URL(request.url ?? '/', 'http://x').pathname);
      if (!handler) return raw.destroy();
      this.upgrades.handleUpgrade(request, raw, head, handler);
    });
  }

  /** `secure`: over https, for a browser that accepts any certificate. */
  static async open(folder: string, { secure = false } = {}): Promise<Site> {
    const site = new Site(folder, secure ? await generate([{ name: 'commonName', value: 'shop.test' }]) : undefined);
    await new Promise<void>((done) => site.server.listen(0, '127.0.0.1', done));
    return site;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/', host = 'localhost'): string {
    return `${this.certificate ? 'https' : 'http'}://${host}:${this.port}${path}`;
  }

  async close(): Promise<void> {
    for (const socket of this.upgrades.clients) socket.terminate();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(request.url ?? '/');
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const route = this.routes.get(`${request.method} ${path}`) ?? this.routes.get(path);
    if (route) {
      let body = '';
      for await (const chunk of request) body += chunk;
      return void (await route(request, response, body));
    }
    if (path === '/favicon.ico') return void response.writeHead(204).end();
    try {
      const file = join(this.folder, normalize(path === '/' ? '/page.html' : path));
      const content = await readFile(file);
      response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(content);
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found');
    }
  }
}

export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value));
}
