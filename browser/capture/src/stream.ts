// A response that arrives piece by piece (server-sent events, JSON lines) is reported as a connection.

import { Connection } from './connection';
import type { Core } from './core';
import { readStream } from './native-streams';
import type { RequestRecord } from './request';

export interface Followed {
  connection: string;
  /** The page cancelled the response. */
  end(): void;
}

export function followStream(core: Core, request: RequestRecord, stream: ReadableStream<Uint8Array>): Followed {
  const connection = new Connection(core, request.url);
  const decoder = new TextDecoder();
  let over = false;
  const close = (reason: string) => {
    if (over) return;
    over = true;
    core.safely(() => connection.lifecycle('close', { reason }));
  };
  connection.lifecycle('open');
  const cancel = readStream(
    stream,
    (bytes) => {
      if (!core.alive || !core.switches.webSockets) cancel();
      else core.safely(() => connection.message('incoming', decoder.decode(bytes, { stream: true })));
    },
    (complete) => close(complete ? 'the response ended' : 'the response broke off'),
  );
  return {
    connection: connection.id,
    end() {
      close('cancelled by the page');
      cancel();
    },
  };
}
