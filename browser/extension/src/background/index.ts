// The worker: everything between the pages and the server. It may be stopped at any moment and is started again by the
// next event, so what must not be lost is in session storage and listeners are added before anything is awaited.

import { SOCKET_MESSAGE_BYTES } from '../../../capture/src/limits.gen';
import type { ExtensionCounts, PendingQuery, Status } from '../../../capture/src/wire.gen';
import { version } from '../../package.json';
import { captureSettings } from '../shared/capture-settings';
import type { Connection, MemoryState, PopupState, Replies, Request, TabCounts } from '../shared/messages';
import type { RecordingEnded } from '../shared/offscreen-messages';
import type { Delivery, Wanted } from '../shared/page-messages';
import {
  checkServer,
  loadSettings,
  onSettings,
  onSettingsChanged,
  publishDefaults,
  type Settings,
} from '../shared/settings';
import { judge } from '../shared/sites';
import { AnnotationMonitor } from './annotation-monitor';
import { showBadge } from './badge';
import { NO_COUNTS } from './counts';
import { DebugLog } from './debug-log';
import { Enricher } from './enrich';
import { pageIdOf, takeBatch, withFields } from './intake';
import { MemoryGuard } from './memory-guard';
import { OwnLogs } from './own-logs';
import { pageSafety } from './page-safety';
import { answer } from './queries';
import { Camera } from './queries/camera';
import { isRecorded, onRecording, recordingEnded, recordingLeft } from './queries/record';
import { EventQueue } from './queue';
import { Screenshots } from './screenshots';
import { injectPage, refreshTabs, registerScripts } from './scripts';
import { Sender } from './sender';
import { Server } from './server';
import { ServerSocket } from './socket';
import { readAll, write } from './storage';
import { listTabs, reportedSettings } from './tabs';

const ALARM = 'reconnect';
const STATUS_MILLIS = 200;
const BADGE_MILLIS = 300;
/** Enough of a document's id to tell it from all others. */
const DOCUMENT_CHARS = 12;
const METRICS_MILLIS = 60_000;
/** What a page gave away while it was closed has reached us by then. */
const HANDOVER_MILLIS = 500;
const HANDOVER_MOST_MILLIS = 10_000;
/** Connections report at least this often while they are busy. */
const SAMPLING_MILLIS = 5_000;

const log = new DebugLog();
const annotations = new AnnotationMonitor();
const counts = new Map<number, TabCounts>();
/** Tabs whose scripts went in after the page had started. */
const late = new Set<number>();
const badgeTimers = new Map<number, ReturnType<typeof setTimeout>>();
/** Our part of the pages' time, while debugging. */
const intercepts = { count: 0, millis: 0 };
/** What pages left out because capture took too much of their time. */
const reduced = { bodies: 0, sockets: 0 };
let sampledAt = 0;
let deliveredAt = 0;
const memoryGuard = new MemoryGuard(() => queue.usedBytes);
let memory: MemoryState = 'normal';
let connection: Connection = { state: 'connecting', server: '' };
let settings: Settings;
/** The settings that hold in the pages, too. */
let applied: Settings;
let server: Server;
let queue: EventQueue;
let sender: Sender;

const socket = new ServerSocket(version, log, {
  status,
  connected(serverVersion) {
    connection = { state: 'connected', server: server.address, serverVersion };
    sender.serverIsBack();
    void ownLogs.send();
    void updateBadges();
  },
  disconnected(problem) {
    connection = {
      state: sender.breaker.isOpen ? 'paused' : 'disconnected',
      server: server.address,
      problem: `${problem} Start your AI client, or run "gasoline serve".`,
    };
    void updateBadges();
  },
  asked: (query) => void ready.then(() => answerQuery(query)),
});
const ownLogs = new OwnLogs(() => server);
log.onTrouble = (line) => void ready.then(() => ownLogs.note(line));
const camera = new Camera();
const screenshots = new Screenshots(() => server, camera, log);
const enricher = new Enricher({
  settings: () => settings,
  server: () => server,
  log,
  async queue(event) {
    await queue.add('enrich', Date.now(), [event], 0);
    sender.wake(true);
  },
});

const ready = start();
/** Changes that all pages have to hear of, one after the other: the last one must be the one that holds. */
let changes: Promise<void> = ready;
// For programs that drive this browser, as docs/ci.md tells. Nobody else gets at a worker's globals.
Object.assign(globalThis, { gasoline: { ready, handedOver, settled: () => changes } });

async function start(): Promise<void> {
  await publishDefaults();
  settings = await loadSettings();
  server = new Server(settings.server);
  connection = { state: 'connecting', server: server.address };
  queue = await EventQueue.restore();
  const stored = await readAll();
  for (const [tab, known] of Object.entries((stored.counts as Record<string, TabCounts> | undefined) ?? {})) {
    counts.set(Number(tab), known);
  }
  for (const tab of (stored.late as number[] | undefined) ?? []) late.add(tab);
  sender = new Sender(
    queue,
    () => server,
    log,
    afterSending,
    (events, mapsWanted) => enricher.sent(events, mapsWanted),
  );
  await chrome.alarms.create(ALARM, { periodInMinutes: 0.5 });
  // Whatever the settings hold, the worker itself must come up.
  await registerScripts(settings).catch(notRegistered);
  applied = settings;
  void socket.open(server);
  if (queue.size > 0) sender.wake(true);
  log.add('info', 'started', { version, server: server.address, waiting: queue.size });
}

chrome.runtime.onInstalled.addListener(() => inTurn(() => applySettings(settings)));
chrome.runtime.onStartup.addListener(() => void ready);
chrome.alarms.onAlarm.addListener(() => void ready.then(() => socket.open(server)));

chrome.runtime.onMessage.addListener((message: Request | Delivery | Wanted | RecordingEnded, from, reply) => {
  if (from.id !== chrome.runtime.id) return false;
  const handle = (): Promise<unknown> => {
    switch (message.type) {
      case 'deliver':
        return deliver(message, from);
      case 'inject-page':
        return injectPage(settings, from.tab?.id ?? -1, from.frameId ?? 0);
      case 'recording-ended':
        return recordingEnded(message, from);
      default:
        return answerOwnPage(message, from);
    }
  };
  ready.then(handle).then(reply, (error) => {
    log.add('error', 'a message was not handled', { type: message.type, error: String(error) });
    reply(message.type === 'deliver' ? false : undefined);
  });
  return true;
});

onRecording((tabId) => void badge(tabId));
onSettingsChanged(() => inTurn(async () => applySettings(await loadSettings())));
// What is off is off here at once, whoever still has to hear of it.
onSettings((changed) => {
  void ready.then(() => {
    settings = changed;
  });
});

chrome.tabs.onUpdated.addListener((tabId, change) => {
  if (change.status === 'loading' && change.url !== undefined) {
    late.delete(tabId);
  }
  if (change.status === 'loading') void ready.then(() => recordingLeft(tabId, settings, server));
  if (change.url !== undefined || change.title !== undefined || change.status !== undefined)
    void ready.then(statusSoon);
  if (change.status !== undefined) badgeSoon(tabId);
});
chrome.tabs.onRemoved.addListener((tabId) => {
  counts.delete(tabId);
  late.delete(tabId);
  enricher.forgetTab(tabId);
  void ready.then(statusSoon);
});
chrome.tabs.onActivated.addListener(({ tabId }) => void ready.then(() => [statusSoon(), badge(tabId)]));
chrome.windows.onFocusChanged.addListener(() => void ready.then(statusSoon));

/** True once the events outlive this worker. */
async function deliver(
  { from, number, batch, unjudged }: Delivery,
  sent: chrome.runtime.MessageSender,
): Promise<boolean> {
  const tabId = sent.tab?.id;
  if (tabId === undefined) return true;
  deliveredAt = Date.now();
  if (queue.isRepeat(from, number)) return true;
  const address = /^https?:/.test(sent.url ?? '') ? sent.url : sent.origin;
  if (unjudged && !judge(address ?? '', settings).captured) return true;
  const isNewPage = number === 0 && sent.frameId === 0;
  if (isNewPage) {
    counts.set(tabId, { ...NO_COUNTS });
  }
  const tabCounts = counts.get(tabId) ?? { ...NO_COUNTS };
  counts.set(tabId, tabCounts);
  const wanted = unjudged ? captureSettings(settings, memoryGuard.state) : undefined;
  const frameId = sent.frameId ?? 0;
  const documentName = sent.documentId?.slice(0, DOCUMENT_CHARS) ?? batch.pageId;
  const { events, malformed, errors, failures, loads, sampling } = takeBatch(
    batch,
    tabId,
    frameId,
    documentName,
    tabCounts,
    annotations,
    wanted,
  );
  if (sampling) sampledAt = Date.now();
  if (batch.intercepts) {
    intercepts.count += batch.intercepts.count;
    intercepts.millis += batch.intercepts.millis;
  }
  reduced.bodies += batch.reduced?.bodies ?? 0;
  reduced.sockets += batch.reduced?.sockets ?? 0;
  memoryGuard.note(from, batch.held);
  const { documentId } = sent;
  if (documentId && loads.length > 0) {
    const safety = await pageSafety({ tabId, documentId, url: address ?? '' });
    for (const index of loads) events[index] = withFields(events[index] ?? '', safety);
  }
  await queue.add(from, number, events, batch.dropped + malformed);
  sender.wake(batch.urgent);
  if (documentId && failures.length > 0) {
    enricher.note(failures, { tabId, id: documentId, pageId: pageIdOf(documentName, frameId), url: address ?? '' });
  }
  if (settings.screenshotOnError && errors.length > 0) void screenshots.take(sent.tab, errors);
  void write({ counts: Object.fromEntries(counts) });
  void badge(tabId);
  guardMemory();
  return true;
}

/** Resolves when the server has what the pages gave us, or will not have it soon. */
async function handedOver(quietMillis = HANDOVER_MILLIS): Promise<void> {
  await ready;
  const asked = Date.now();
  const isQuiet = () => Date.now() - Math.max(asked, deliveredAt) >= quietMillis && queue.size === 0;
  while (!isQuiet() && Date.now() - asked < HANDOVER_MOST_MILLIS) await new Promise((done) => setTimeout(done, 50));
}

async function answerQuery(query: PendingQuery): Promise<void> {
  const result = await answer(query, { settings, server, camera, log });
  // The server reads an answer with the tabs that it knows: it names those that could be asked instead, and finds what it has
  // in its cache by the address of the one in front. So news of tabs that are still waiting go first.
  if (result.error || statusTimer !== undefined) await tellStatus();
  const text = JSON.stringify({ type: 'result', ...result });
  // Pictures are too large for the socket.
  if (text.length < SOCKET_MESSAGE_BYTES / 4 && socket.isOpen) return socket.sendText(text);
  const problem = await server.withToken('/dom-result', { method: 'POST', body: text }).then(
    (response) => (response.ok ? undefined : `The answer was refused: ${response.status}.`),
    (error) => String(error),
  );
  if (problem === undefined) return;
  log.add('warn', 'an answer was not delivered', { action: query.action, bytes: text.length, problem });
  const message = `${problem} It has ${Math.ceil(text.length / 1_048_576)} MB; ask for less.`;
  socket.send({ type: 'result', ...result, result: null, error: { message, type: 'too_large', code: 'TOO_LARGE' } });
}

async function answerOwnPage<T extends Request>(
  request: T,
  from: chrome.runtime.MessageSender,
): Promise<Replies[Request['type']]> {
  // Content scripts run in pages; only our own pages may ask.
  if (from.tab && !from.url?.startsWith(chrome.runtime.getURL(''))) throw new Error('not one of our pages');
  switch (request.type) {
    case 'popup-state':
      return popupState(request.tabId);
    case 'reconnect':
      socket.close();
      connection = { state: 'connecting', server: server.address };
      await socket.open(server);
      return connection;
    case 'clear':
      return clear();
    case 'debug-log':
      log.push(metrics());
      return { text: log.text() };
    case 'dismiss-annotation-warning':
      annotations.dismiss();
      return {};
    case 'test-server':
      return testServer(request.server);
  }
}

async function popupState(tabId: number | null): Promise<PopupState> {
  const tab = tabId === null ? undefined : await chrome.tabs.get(tabId).catch(() => undefined);
  const site = judge(tab?.url ?? '', settings);
  return {
    connection:
      sender.breaker.isOpen && connection.state !== 'connected' ? { ...connection, state: 'paused' } : connection,
    site: { ...site, needsReload: site.captured && tabId !== null && late.has(tabId) },
    counts: (tabId !== null && counts.get(tabId)) || NO_COUNTS,
    books: books(),
    memory: { megabytes: Math.round(memoryGuard.megabytes * 10) / 10, state: memory },
    annotationWarning: annotations.warning,
  };
}

async function clear(): Promise<Replies['clear']> {
  await queue.clear();
  for (const tabCounts of counts.values()) Object.assign(tabCounts, NO_COUNTS);
  void write({ counts: Object.fromEntries(counts) });
  void updateBadges();
  try {
    const response = await server.withToken('/clear', { method: 'POST', body: '{}' });
    if (!response.ok) return { ok: false, message: `The server answered ${response.status}.` };
    const { entries_removed = 0 } = (await response.json()) as { entries_removed?: number };
    return { ok: true, message: `Cleared ${entries_removed} entries.` };
  } catch {
    return { ok: false, message: 'The server is away; only what waited in the browser was cleared.' };
  }
}

async function testServer(address: string): Promise<Replies['test-server']> {
  const checked = checkServer(address);
  if ('problem' in checked) return { ok: false, message: checked.problem };
  try {
    const { version: found } = await new Server(checked.server).health();
    return { ok: true, message: `Gasoline ${found} answers at ${checked.server}.` };
  } catch (error) {
    const text =
      error instanceof Error && /something else/.test(error.message) ? error.message : 'nothing answers there';
    return { ok: false, message: `No connection: ${text}. Run "gasoline serve" and try again.` };
  }
}

function inTurn(change: () => Promise<void>): void {
  changes = changes
    .then(change)
    .catch((error) => log.add('error', 'a change did not reach the pages', { error: String(error) }));
}

async function applySettings(changed: Settings): Promise<void> {
  const moved = changed.server !== server.address;
  settings = changed;
  if (moved) {
    socket.close();
    server = new Server(settings.server);
    connection = { state: 'connecting', server: server.address };
    void socket.open(server);
  }
  await registerScripts(settings).catch(notRegistered);
  await refreshTabs(settings, memory, addLate);
  applied = changed;
  await tellStatus();
  await updateBadges();
}

/** Open pages are told all the same. */
function notRegistered(error: unknown): void {
  log.add('error', 'the scripts could not be registered', { error: String(error) });
}

function addLate(tabId: number): void {
  late.add(tabId);
  void write({ late: [...late] });
}

let statusTimer: ReturnType<typeof setTimeout> | undefined;
function statusSoon(): void {
  if (statusTimer !== undefined) return;
  statusTimer = setTimeout(() => {
    statusTimer = undefined;
    void tellStatus();
  }, STATUS_MILLIS);
}

async function tellStatus(): Promise<void> {
  socket.send({ type: 'status', ...(await status()) });
}

async function status(): Promise<Status> {
  // A site that was just switched off is off, one that was just switched on is not yet on.
  const isCaptured = (url: string) => [settings, applied].every((each) => judge(url, each).captured);
  return { tabs: await listTabs(isCaptured), settings: reportedSettings(applied), counts: books() };
}

function books(): ExtensionCounts {
  return { ...queue.books };
}

function afterSending(): void {
  if (connection.state !== 'connected' && !sender.breaker.isOpen) void socket.open(server);
  statusSoon();
  guardMemory();
}

function guardMemory(): void {
  if (memoryGuard.state !== memory) inTurn(applyMemory);
}

async function applyMemory(): Promise<void> {
  const now = memoryGuard.state;
  if (now === memory) return;
  log.add(now === 'normal' ? 'info' : 'warn', `memory: ${now}`, { megabytes: memoryGuard.megabytes });
  await queue.resize(now === 'normal' ? 1 : 0.5);
  if (now === 'hard') await queue.discard((event) => event.startsWith('{"type":"network"'));
  await refreshTabs(settings, now, addLate);
  memory = now;
}

async function badge(tabId: number): Promise<void> {
  const tab = await chrome.tabs.get(tabId).catch(() => undefined);
  if (!tab) return;
  const { captured } = judge(tab.url ?? '', settings);
  await showBadge(connection.state, tabId, captured, counts.get(tabId)?.errors ?? 0, await isRecorded(tabId));
}

/** Not while the page loads: it would have to share the browser with us. */
function badgeSoon(tabId: number): void {
  if (badgeTimers.has(tabId)) return;
  const show = () => {
    badgeTimers.delete(tabId);
    void ready.then(() => badge(tabId));
  };
  badgeTimers.set(tabId, setTimeout(show, BADGE_MILLIS));
}

async function updateBadges(): Promise<void> {
  for (const tab of await chrome.tabs.query({ active: true })) if (tab.id !== undefined) await badge(tab.id);
}

function metrics(): Record<string, unknown> {
  const { made, succeeded } = sender.attempts;
  return {
    type: 'gasoline:perf',
    ts: new Date().toISOString(),
    metrics: {
      memoryUsageMB: Math.round(memoryGuard.megabytes * 10) / 10,
      wsEventsBuffered: queue.waiting('websocket'),
      networkBodiesBuffered: queue.waiting('network'),
      droppedEvents: queue.books.dropped,
      samplingActive: Date.now() - sampledAt < SAMPLING_MILLIS,
      avgInterceptLatencyMs:
        intercepts.count === 0 ? 0 : Math.round((intercepts.millis / intercepts.count) * 1_000) / 1_000,
      serverPostSuccessRate: made === 0 ? 1 : succeeded / made,
      circuitBreakerState: sender.breaker.state,
      bodiesSkipped: reduced.bodies,
      socketsSampledMore: reduced.sockets,
      slowPosts: sender.posts.slow,
      sendIntervalMs: sender.posts.intervalMillis,
    },
  };
}

setInterval(() => {
  if (settings?.debugMode) log.push(metrics());
}, METRICS_MILLIS);
