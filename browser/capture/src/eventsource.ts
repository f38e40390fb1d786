// EventSource: a connection on which only the server sends.

import { Connection } from './connection';
import type { Core } from './core';
import { listen } from './natives';
import { patch, patchConstructor } from './patch';

const CLOSED = 2;

export function installEventSource(core: Core): void {
  if (typeof EventSource !== 'function') return;
  const follows = new WeakMap<object, (type: string) => void>();
  const connections = new WeakMap<object, Connection>();

  patchConstructor(window, 'EventSource', (instance) => {
    if (core.alive) core.safely(() => follow(instance as EventSource));
  });
  patch(EventSource.prototype, 'close', {
    called(self: EventSource) {
      if (!core.alive || self.readyState === CLOSED) return;
      connections.get(self)?.lifecycle('close', { reason: 'closed by the page' });
    },
  });

  // Named events are delivered only to listeners for their name. So we listen for the names that the page listens for.
  // The method is patched where it is defined, not on `EventSource`: a later patch by others (zone.js, error reporters)
  // must still be what the page calls.
  let listening = false;
  const listenToNames = () => {
    if (listening) return;
    listening = true;
    patch(EventTarget.prototype, 'addEventListener', {
      called(self: object, args: [string, ...unknown[]]) {
        if (core.alive) follows.get(self)?.(String(args[0]));
      },
    });
  };

  function follow(source: EventSource): void {
    listenToNames();
    const connection = new Connection(core, source.url);
    connections.set(source, connection);
    const names = new Set(['open', 'error', 'message']);
    const onMessage = (event: MessageEvent) =>
      core.intercept(() => {
        const text = String(event.data);
        connection.message('incoming', event.type === 'message' ? text : `event: ${event.type}\n${text}`);
      });
    connection.lifecycle('connecting');
    listen(source, 'open', () => core.intercept(() => connection.lifecycle('open')));
    listen(source, 'error', () =>
      core.intercept(() => {
        if (source.readyState === CLOSED) connection.lifecycle('close', { reason: 'the stream failed' });
        else connection.lifecycle('error', { reason: 'interrupted; the browser reconnects' });
      }),
    );
    listen<MessageEvent>(source, 'message', onMessage);
    follows.set(source, (type) => {
      if (names.has(type) || names.size > 50) return;
      names.add(type);
      listen<MessageEvent>(source, type, onMessage);
    });
  }
}
