// Whether the server answers, and if not, what to do.

import { DEFAULT_PORT } from 'gasoline-capture/limits.gen';
import type { Connection } from '../shared/messages';
import { hook, setText, show } from './elements';

const NAMES: Record<Connection['state'], string> = {
  connected: 'Connected',
  connecting: 'Connecting',
  disconnected: 'Disconnected',
  paused: 'Paused',
};

/** The worker does not answer: it crashed, or the extension was updated while the popup was open. */
export const NO_WORKER: Connection = {
  state: 'disconnected',
  server: '',
  problem: 'The extension itself does not answer. Reload it on chrome://extensions, then open this again.',
};

export function showConnection(connection: Connection): void {
  const { state, server, serverVersion } = connection;
  const pill = hook('connection-state');
  pill.dataset.state = state;
  setText(pill, NAMES[state]);
  const address = server.replace(/^http:\/\//, '');
  setText(
    hook('server'),
    [serverVersion && `v${serverVersion.replace(/^v/, '')}`, address].filter(Boolean).join(' · '),
  );

  // Keep the card unchanged during an attempt: the popup must not move under the pointer at each retry.
  if (state === 'connecting') return;
  const trouble = hook('trouble');
  trouble.dataset.state = state;
  setText(hook('problem'), connection.problem ?? defaultProblem(connection));
  setText(
    trouble.querySelector('h2') as HTMLElement,
    state === 'paused' ? 'Sending is paused' : 'Your AI client can’t see this browser',
  );
  setText(hook('start-command'), startCommand(server));
  // A paused server is running already, and without a worker no server helps.
  show(hook('how-to-start'), state === 'disconnected' && server !== '');
  show(hook('reconnect'), server !== '');
  show(trouble, state === 'disconnected' || state === 'paused');
}

function defaultProblem({ state, server }: Connection): string {
  return state === 'paused'
    ? 'Sending failed five times in a row. Captured entries are kept, and sending starts again within half a minute.'
    : `No Gasoline server answers at ${server}.`;
}

export function startCommand(server: string): string {
  const port = /:(\d+)$/.exec(server)?.[1];
  return port && Number(port) !== DEFAULT_PORT ? `gasoline serve --port ${port}` : 'gasoline serve';
}
