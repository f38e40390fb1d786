// Records a tab. The recording runs in the offscreen document, and its state is in session storage, so neither ends
// with the worker.

import type { RecordingReply, RecordingStarted } from 'gasoline-capture/wire.gen';
import {
  type Destination,
  OFFSCREEN_PAGE,
  type Outcome,
  type RecordingEnded,
  type Started,
  type ToOffscreen,
} from '../../shared/offscreen-messages';
import type { Settings } from '../../shared/settings';
import { judge } from '../../shared/sites';
import type { Server } from '../server';
import { write } from '../storage';

interface Stored {
  recording?: { name: string; tabId: number; url: string };
  /** The outcome of a recording that ended by itself, until a query asks for it. */
  recordingOutcome?: Outcome;
}

let announce: (tabId: number) => void = () => {};

/** Called for every tab whose recording began or ended. */
export function onRecording(listener: (tabId: number) => void): void {
  announce = listener;
}

export async function isRecorded(tabId: number): Promise<boolean> {
  return (await stored()).recording?.tabId === tabId;
}

const DEFAULT_SIZE = { width: 1_280, height: 720 };
const KEYS = ['recording', 'recordingOutcome'] satisfies (keyof Stored)[];

export const startRecording = (tab: chrome.tabs.Tab, name: string, server: Server): Promise<RecordingStarted> =>
  inTurn(async () => {
    const { recording } = await stored();
    if (recording && (await hasDocument())) {
      const { tabId, url, name } = recording;
      throw named('AlreadyRecording', `Tab ${tabId} (${url}) is being recorded as ${name}. Stop that recording first.`);
    }
    const tabId = tab.id ?? chrome.tabs.TAB_ID_NONE;
    const url = tab.url ?? '';
    const streamId = await streamOf(tabId, url);
    const metadata = { name, url, tab_id: tabId };
    const size = { width: tab.width || DEFAULT_SIZE.width, height: tab.height || DEFAULT_SIZE.height };
    // A document without a recording was left over.
    await closeDocument();
    await chrome.offscreen.createDocument({
      url: OFFSCREEN_PAGE,
      reasons: [chrome.offscreen.Reason.USER_MEDIA],
      justification: 'Records the tab that the developer asked to have recorded.',
    });
    const destination = await destinationOf(server);
    const started = await tell<Started>({ type: 'offscreen-record-start', streamId, size, metadata, destination });
    if (!started.ok) {
      await closeDocument();
      throw named('CannotRecord', `Chrome did not let the tab be recorded: ${started.problem}`);
    }
    await keep({ recording: { name, tabId, url } }, tabId);
    return { status: 'recording', name, tab_id: tabId };
  });

/** Ends the recording and answers once the server has it. The outcome of one that ended by itself is reported once. */
export const stopRecording = (server: Server): Promise<RecordingReply> =>
  inTurn(async () => {
    const { recording, recordingOutcome } = await stored();
    if (!recording) {
      if (!recordingOutcome) throw named('NotRecording', 'No tab is being recorded.');
      await write({}, KEYS);
      return settled(recordingOutcome);
    }
    if (!(await hasDocument())) {
      await keep({}, recording.tabId);
      throw named(
        'RecordingLost',
        `The recording ${recording.name} is lost: the browser closed the document that recorded it.`,
      );
    }
    const outcome = await tell<Outcome>({ type: 'offscreen-record-stop', destination: await destinationOf(server) });
    if ('saved' in outcome || outcome.final) {
      await keep({}, recording.tabId);
      await closeDocument();
    }
    return settled(outcome);
  });

/**
 * Called when the recorded tab shows another page. If that page is not captured, the recording ends, and what was
 * recorded before is saved.
 */
export const recordingLeft = (tabId: number, settings: Settings, server: Server): Promise<void> =>
  inTurn(async () => {
    const { recording } = await stored();
    if (recording?.tabId !== tabId || !(await hasDocument())) return;
    // Chrome hides the addresses of its own pages, which are never captured.
    const tab = await chrome.tabs.get(tabId).catch(() => undefined);
    if (!tab || judge(tab.url ?? '', settings).captured) return;
    const outcome = await tell<Outcome>({ type: 'offscreen-record-stop', destination: await destinationOf(server) });
    if (!('saved' in outcome) && !outcome.final) return;
    await keep({ recordingOutcome: outcome }, tabId);
    await closeDocument();
  });

/** Notes the outcome of a recording that ended by itself. Only our own document may report one. */
export async function recordingEnded({ outcome }: RecordingEnded, from: chrome.runtime.MessageSender): Promise<void> {
  if (from.tab || from.url !== chrome.runtime.getURL(OFFSCREEN_PAGE)) throw new Error('not our offscreen document');
  await inTurn(async () => {
    const { recording } = await stored();
    if (!recording) return;
    await keep({ recordingOutcome: outcome }, recording.tabId);
    await closeDocument();
  });
}

async function streamOf(tabId: number, url: string): Promise<string> {
  try {
    return await chrome.tabCapture.getMediaStreamId({ targetTabId: tabId });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (!/not been invoked/i.test(problem)) throw named('CannotRecord', problem);
    // Chrome uses the same message for its own pages, where a click would not help and whose address it hides.
    if (!/^(https?|file):/.test(url)) throw named('CannotRecord', 'Chrome does not let extensions record this page.');
    throw named(
      'ConsentNeeded',
      'Chrome wants the user to allow this first: click the Gasoline icon in the toolbar once while that tab is in ' +
        'front, then start the recording again.',
    );
  }
}

function settled(outcome: Outcome): RecordingReply {
  if ('saved' in outcome) return outcome.saved;
  const hint = outcome.final ? '' : ' The recording is still there; stop it again to save it.';
  throw named('NotSaved', `The recording was not saved: ${outcome.problem}.${hint}`);
}

/** The server may be unreachable now; the recording is ended anyway. */
async function destinationOf(server: Server): Promise<Destination> {
  return { address: server.address, token: await server.pair().catch(() => undefined) };
}

async function stored(): Promise<Stored> {
  return await chrome.storage.session.get(KEYS);
}

async function keep(items: Stored, tabId: number): Promise<void> {
  const gone = KEYS.filter((key) => !(key in items));
  await write({ ...items }, gone);
  announce(tabId);
}

async function hasDocument(): Promise<boolean> {
  const contextTypes = [chrome.runtime.ContextType.OFFSCREEN_DOCUMENT];
  return (await chrome.runtime.getContexts({ contextTypes })).length > 0;
}

async function closeDocument(): Promise<void> {
  if (await hasDocument()) await chrome.offscreen.closeDocument();
}

function tell<T>(message: ToOffscreen): Promise<T> {
  return chrome.runtime.sendMessage(message) as Promise<T>;
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

/** Serializes starts: two at once must not both find that nothing is being recorded. */
let turn: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
}
