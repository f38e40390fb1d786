// A response that arrives piece by piece (server-sent events, JSON lines) is followed like a connection.

import { Connection } from './connection';
import type { Core } from './core';
import type { RequestRecord } from './request';

/** Returns the connection's id. */
export function followStream(core: Core, request: RequestRecord, stream: ReadableStream<Uint8Array>): string {
  const connection = new Connection(core, request.url);
  connection.lifecycle('open');
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  const next = (): void => {
    reader.read().then(
      ({ done, value }) => {
        if (!core.active || !core.settings.webSockets) return void reader.cancel().catch(() => {});
        if (done) return connection.lifecycle('close', { reason: 'the response ended' });
        core.safely(() => connection.message('incoming', decoder.decode(value, { stream: true })));
        next();
      },
      () => core.safely(() => connection.lifecycle('close', { reason: 'the response broke off' })),
    );
  };
  next();
  return connection.id;
}
