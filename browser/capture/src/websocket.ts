// WebSocket: life cycle and messages of every socket that the page opens.

import { Connection, type Payload } from './connection';
import type { Core } from './core';
import { listen } from './natives';
import { patch, patchConstructor } from './patch';

export function installWebSocket(core: Core): void {
  const connections = new WeakMap<object, Connection>();
  const open = new Set<Connection>();

  patchConstructor(window, 'WebSocket', (instance) => {
    core.intercept(() => follow(instance as WebSocket));
  });
  patch(WebSocket.prototype, 'send', {
    // A call that throws sent nothing.
    returned(_, self: WebSocket, args: [Payload]) {
      core.intercept(() => connections.get(self)?.message('outgoing', args[0]));
    },
  });
  // A page that is unloaded closes its sockets without an event.
  listen(window, 'pagehide', () => {
    for (const connection of open) {
      core.safely(() => connection.lifecycle('close', { code: 1001, reason: 'the page was left' }));
    }
    open.clear();
  });

  function follow(socket: WebSocket): void {
    const connection = new Connection(core, socket.url);
    connections.set(socket, connection);
    open.add(connection);
    connection.lifecycle('connecting');
    listen(socket, 'open', () => core.intercept(() => connection.lifecycle('open')));
    listen<MessageEvent<Payload>>(socket, 'message', (event) =>
      core.intercept(() => connection.message('incoming', event.data)),
    );
    listen(socket, 'error', () => core.intercept(() => connection.lifecycle('error')));
    listen<CloseEvent>(socket, 'close', ({ code, reason }) => {
      if (open.delete(connection)) core.intercept(() => connection.lifecycle('close', { code, reason }));
    });
  }
}
