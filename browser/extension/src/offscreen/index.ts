// The offscreen document. Workers cannot record media, so this page records for ours. It outlives the worker, and holds
// one recording until the server has it.

import type { RecordingMetadata } from 'gasoline-capture/wire.gen';
import type {
  Destination,
  Outcome,
  RecordingEnded,
  RecordOrder,
  Started,
  ToOffscreen,
} from '../shared/offscreen-messages';
import { TabRecording } from './tab-recording';
import { upload } from './upload';

const RETRY_MILLIS = 10_000;

interface Current {
  recording: TabRecording;
  metadata: RecordingMetadata;
  destination: Destination;
  /** The attempt that is running, or the one that settled the outcome. */
  saving?: Promise<Outcome> | undefined;
  stopped: boolean;
}

let current: Current | undefined;

chrome.runtime.onMessage.addListener((message: ToOffscreen, from, reply) => {
  // Requests of our other pages to the worker arrive here, too; content scripts may not send any.
  if (from.id !== chrome.runtime.id || from.tab) return false;
  switch (message.type) {
    case 'offscreen-record-start':
      void start(message).then(reply);
      return true;
    case 'offscreen-record-stop':
      void stop(message.destination).then(reply);
      return true;
    default:
      return false;
  }
});

async function start({ streamId, size, metadata, destination }: RecordOrder): Promise<Started> {
  try {
    const begun: Current = {
      recording: await TabRecording.begin(streamId, size),
      metadata,
      destination,
      stopped: false,
    };
    current = begun;
    void begun.recording.ended.then(() => saveUnasked(begun));
    return { ok: true };
  } catch (error) {
    return { ok: false, problem: String(error) };
  }
}

async function stop(destination: Destination): Promise<Outcome> {
  if (!current) return { problem: 'nothing is being recorded', final: true };
  current.stopped = true;
  current.destination = destination;
  current.recording.stop();
  return save(current);
}

/** Saves a recording that ended by itself. */
async function saveUnasked(ended: Current): Promise<void> {
  while (!ended.stopped) {
    const outcome = await save(ended);
    if ('saved' in outcome || outcome.final) {
      if (!ended.stopped)
        await chrome.runtime.sendMessage({ type: 'recording-ended', outcome } satisfies RecordingEnded);
      return;
    }
    await new Promise((later) => setTimeout(later, RETRY_MILLIS));
  }
}

/** One attempt at a time; a final outcome is returned again. */
function save(ended: Current): Promise<Outcome> {
  ended.saving ??= ended.recording.ended
    .then(({ video, ...recorded }) => upload(ended.destination, { ...ended.metadata, ...recorded }, video))
    .then((outcome) => {
      if ('problem' in outcome && !outcome.final) ended.saving = undefined;
      return outcome;
    });
  return ended.saving;
}
