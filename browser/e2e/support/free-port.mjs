// Shared by the browser suites, the tests of the npm packages and the run of real MCP clients.

import { createServer } from 'node:net';

/**
 * Returns a free port. It lies below the range from which the system assigns ports, so that no connection of another
 * test gets it before it is used.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    const server = createServer();
    const isFree = await new Promise((done) => {
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true));
    });
    if (!isFree) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
}
