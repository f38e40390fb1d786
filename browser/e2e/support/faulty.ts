// A proxy between the extension and the server that misbehaves on request.

import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export type Fault =
  | 'none'
  /** Answers by itself. */
  | { status: number; body?: unknown }
  /** Rejects batches with more events than this as too large. */
  | { mostEvents: number }
  /** Fails on batches with an event that contains this. */
  | { poison: string }
  /** Delays every batch by this long. */
  | { delay: number }
  /** The server gets the batch, but its answer is lost. */
  | 'lose-answer'
  /** The same, but the connection stays open. */
  | 'silence'
  /** Nothing is forwarded. */
  | 'drop';

export class FaultyServer {
  fault: Fault = 'none';
  /** Batches that came in, with whatever result. */
  attempts = 0;
  /** The time of each attempt. */
  readonly times: number[] = [];
  private readonly server: Server;
  private readonly raw = new Set<Socket>();

  private constructor(private readonly target: () => number) {
    this.server = createServer((incoming, outgoing) => void this.pass(incoming, outgoing));
    this.server.on('connection', (socket) => {
      this.raw.add(socket);
      socket.on('close', () => this.raw.delete(socket));
    });
    this.server.on('upgrade', (incoming, socket, head) => {
      const through = connect(this.target(), '127.0.0.1', () => {
        const headers = incoming.rawHeaders.reduce(
          (text, part, index) => text + part + (index % 2 ? '\r\n' : ': '),
          '',
        );
        through.write(`GET ${incoming.url} HTTP/1.1\r\n${headers}\r\n`);
        through.write(head);
        through.pipe(socket).pipe(through);
      });
      through.on('error', () => socket.destroy());
      socket.on('error', () => through.destroy());
    });
  }

  static async open(target: () => number): Promise<FaultyServer> {
    const faulty = new FaultyServer(target);
    await new Promise<void>((done) => faulty.server.listen(0, '127.0.0.1', done));
    return faulty;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.raw) socket.destroy();
    await new Promise((done) => this.server.close(done));
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const isBatch = incoming.url === '/sync';
    if (isBatch) {
      this.attempts++;
      this.times.push(Date.now());
    }
    const fault = isBatch ? this.fault : 'none';
    if (fault === 'drop') return void outgoing.destroy();
    if (typeof fault === 'object' && 'status' in fault) {
      outgoing.writeHead(fault.status, { 'Content-Type': 'application/json' });
      return void outgoing.end(JSON.stringify(fault.body ?? { error: 'injected' }));
    }
    if (typeof fault === 'object' && 'delay' in fault) await new Promise((done) => setTimeout(done, fault.delay));
    if (typeof fault === 'object' && 'poison' in fault && Buffer.concat(chunks).includes(fault.poison)) {
      return void outgoing.writeHead(500, { 'Content-Type': 'application/json' }).end('{"error":"broken"}');
    }
    if (typeof fault === 'object' && 'mostEvents' in fault) {
      const { events } = JSON.parse(Buffer.concat(chunks).toString()) as { events: unknown[] };
      if (events.length > fault.mostEvents) {
        return void outgoing.writeHead(413, { 'Content-Type': 'application/json' }).end('{"error":"too large"}');
      }
    }
    const forwarded = request(
      {
        port: this.target(),
        host: '127.0.0.1',
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers,
      },
      (answer) => {
        if (fault === 'silence') return void answer.resume();
        if (fault === 'lose-answer') {
          answer.resume();
          answer.on('end', () => outgoing.destroy());
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    forwarded.end(Buffer.concat(chunks));
  }
}
