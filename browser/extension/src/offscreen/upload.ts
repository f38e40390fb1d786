// Uploads a finished recording to the server. The document does this itself, because a video is too large for a message
// to the worker.

import type { RecordingMetadata, RecordingReply } from 'gasoline-capture/wire.gen';
import type { Destination, Outcome } from '../shared/offscreen-messages';

/** Refusals that a later attempt may avoid: asked to wait, timed out, a server error, a full disk. */
const worthRetrying = (status: number) => [401, 408, 429].includes(status) || status >= 500;

export async function upload(destination: Destination, metadata: RecordingMetadata, video: Blob): Promise<Outcome> {
  const form = new FormData();
  form.append('metadata', new Blob([JSON.stringify(metadata)], { type: 'application/json' }));
  form.append('video', video, 'video.webm');
  try {
    let response = await post(destination.address, destination.token ?? (await pair(destination.address)), form);
    // The server may be a new one, with another token.
    if (response.status === 401) response = await post(destination.address, await pair(destination.address), form);
    const body = (await response.json()) as RecordingReply & { error?: string };
    if (response.ok) return { saved: body };
    return { problem: `${response.status} ${body.error ?? ''}`.trim(), final: !worthRetrying(response.status) };
  } catch (error) {
    return { problem: `the server at ${destination.address} did not answer: ${String(error)}`, final: false };
  }
}

function post(address: string, token: string, body: FormData): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}` };
  return fetch(`${address}/recordings/save`, { method: 'POST', headers, body, cache: 'no-store' });
}

async function pair(address: string): Promise<string> {
  const response = await fetch(`${address}/pair`, { method: 'POST', cache: 'no-store' });
  return ((await response.json()) as { token?: string }).token ?? '';
}
