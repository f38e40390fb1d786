// Everything between the pages and the server. Chrome may stop the worker at any time, and starts it again for the next
// event. So data that must not be lost is in session storage, and `listen` adds all listeners before anything is
// awaited.

import { SOCKET_MESSAGE_BYTES } from 'gasoline-capture/limits.gen';
import type { ExtensionCounts, PendingQuery, Status } from 'gasoline-capture/wire.gen';
import { version } from '../../package.json';
import type { Connection, MemoryState, Request, TabCounts } from '../shared/messages';
import type { RecordingEnded } from '../shared/offscreen-messages';
import type { Delivery, Wanted } from '../shared/page-messages';
import { loadSettings, onSettings, onSettingsChanged, publishDefaults, type Settings } from '../shared/settings';
import { judge } from '../shared/sites';
import { AnnotationMonitor } from './annotation-monitor';
import { Badges } from './badges';
import { DebugLog } from './debug-log';
import { Deliveries } from './deliveries';
import { Enricher } from './enrich';
import { MemoryGuard } from './memory-guard';
import { OwnLogs } from './own-logs';
import { answerOwnPage } from './own-pages';
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
const METRICS_MILLIS = 60_000;
/** Events that a page sent while it was closing have arrived after this time. */
const HANDOVER_MILLIS = 500;
const HANDOVER_MOST_MILLIS = 10_000;

export class ExtensionWorker {
  readonly log = new DebugLog();
  readonly annotations = new AnnotationMonitor();
  readonly memoryGuard = new MemoryGuard(() => this.queue.usedBytes);
  readonly ready: Promise<void>;
  settings!: Settings;
  server!: Server;
  queue!: EventQueue;
  sender!: Sender;
  deliveries!: Deliveries;
  connection: Connection = { state: 'connecting', server: '' };
  memory: MemoryState = 'normal';
  /** Tabs whose scripts were injected after the page had started. */
  readonly late = new Set<number>();
  readonly badges: Badges;
  readonly socket: ServerSocket;
  /** The settings that are in effect in the pages. */
  private applied!: Settings;
  private readonly camera = new Camera();
  private readonly ownLogs = new OwnLogs(() => this.server);
  private readonly screenshots = new Screenshots(() => this.server, this.camera, this.log);
  private readonly enricher: Enricher;
  /** Changes that all pages have to receive, one after the other: the last change must win. */
  private changes: Promise<void>;
  private statusTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.log.onTrouble = (line) => void this.ready.then(() => this.ownLogs.note(line));
    this.socket = new ServerSocket(version, this.log, {
      status: () => this.status(),
      connected: (serverVersion) => this.connected(serverVersion),
      disconnected: (problem) => this.disconnected(problem),
      asked: (query) => void this.ready.then(() => this.answerQuery(query)),
    });
    this.badges = new Badges(async ({ id = -1, url }) => ({
      connection: this.connection.state,
      captured: judge(url ?? '', this.settings).captured,
      errors: this.deliveries.countsOf(id).errors,
      recorded: await isRecorded(id),
    }));
    this.enricher = new Enricher({
      settings: () => this.settings,
      server: () => this.server,
      log: this.log,
      queue: async (event) => {
        await this.queue.add('enrich', Date.now(), [event], 0);
        this.sender.wake(true);
      },
    });
    this.ready = this.start();
    this.changes = this.ready;
  }

  /** Adds all listeners for Chrome's events. */
  listen(): void {
    const { ready } = this;
    chrome.runtime.onInstalled.addListener(() => this.inTurn(() => this.applySettings(this.settings)));
    chrome.runtime.onStartup.addListener(() => void ready);
    chrome.alarms.onAlarm.addListener(() => void ready.then(() => this.socket.open(this.server)));
    chrome.runtime.onMessage.addListener((message: Request | Delivery | Wanted | RecordingEnded, from, reply) => {
      if (from.id !== chrome.runtime.id) return false;
      ready
        .then(() => this.handle(message, from))
        .then(reply, (error) => {
          this.log.add('error', 'a message was not handled', { type: message.type, error: String(error) });
          reply(message.type === 'deliver' ? false : undefined);
        });
      return true;
    });
    onRecording((tabId) => void this.badges.show(tabId));
    onSettingsChanged(() => this.inTurn(async () => this.applySettings(await loadSettings())));
    // A setting that is switched off takes effect here at once, even before the pages know.
    onSettings((changed) => {
      void ready.then(() => {
        this.settings = changed;
      });
    });
    this.listenToTabs();
    setInterval(() => {
      if (this.settings?.debugMode) this.log.push(this.metrics());
    }, METRICS_MILLIS);
  }

  /** Resolves when the latest settings are in effect in all pages. */
  settled(): Promise<void> {
    return this.changes;
  }

  /** Resolves when the server has everything that the pages sent, or cannot be expected to get it soon. */
  async handedOver(quietMillis = HANDOVER_MILLIS): Promise<void> {
    await this.ready;
    const asked = Date.now();
    const isQuiet = () =>
      Date.now() - Math.max(asked, this.deliveries.latestAt) >= quietMillis && this.queue.size === 0;
    while (!isQuiet() && Date.now() - asked < HANDOVER_MOST_MILLIS) await new Promise((done) => setTimeout(done, 50));
  }

  /** Tries to connect now. */
  async reconnect(): Promise<Connection> {
    this.socket.close();
    this.connection = { state: 'connecting', server: this.server.address };
    await this.socket.open(this.server);
    return this.connection;
  }

  get accounting(): ExtensionCounts {
    return { ...this.queue.accounting };
  }

  metrics(): Record<string, unknown> {
    const { made, succeeded } = this.sender.attempts;
    return {
      type: 'gasoline:perf',
      ts: new Date().toISOString(),
      metrics: {
        memoryUsageMB: Math.round(this.memoryGuard.megabytes * 10) / 10,
        wsEventsBuffered: this.queue.waiting('websocket'),
        networkBodiesBuffered: this.queue.waiting('network'),
        droppedEvents: this.queue.accounting.dropped,
        samplingActive: this.deliveries.isSampling,
        avgInterceptLatencyMs: Math.round(this.deliveries.interceptMillis * 1_000) / 1_000,
        serverPostSuccessRate: made === 0 ? 1 : succeeded / made,
        circuitBreakerState: this.sender.breaker.state,
        bodiesSkipped: this.deliveries.reduced.bodies,
        socketsSampledMore: this.deliveries.reduced.sockets,
        slowPosts: this.sender.posts.slow,
        sendIntervalMs: this.sender.posts.intervalMillis,
      },
    };
  }

  private async start(): Promise<void> {
    await publishDefaults();
    this.settings = await loadSettings();
    this.server = new Server(this.settings.server);
    this.connection = { state: 'connecting', server: this.server.address };
    this.queue = await EventQueue.restore();
    const stored = await readAll();
    for (const tab of (stored.late as number[] | undefined) ?? []) this.late.add(tab);
    this.sender = new Sender(
      this.queue,
      () => this.server,
      this.log,
      () => this.afterSending(),
      (events, mapsWanted) => this.enricher.sent(events, mapsWanted),
    );
    this.deliveries = new Deliveries({
      settings: () => this.settings,
      queue: this.queue,
      memoryGuard: this.memoryGuard,
      annotations: this.annotations,
      enricher: this.enricher,
      screenshots: this.screenshots,
      queued: (tabId, urgent) => {
        this.sender.wake(urgent);
        void this.badges.show(tabId);
        this.guardMemory();
      },
    });
    this.deliveries.restore(stored.counts as Record<string, TabCounts> | undefined);
    await chrome.alarms.create(ALARM, { periodInMinutes: 0.5 });
    // The worker must start whatever the settings contain.
    await this.registerScripts();
    this.applied = this.settings;
    void this.socket.open(this.server);
    if (this.queue.size > 0) this.sender.wake(true);
    this.log.add('info', 'started', { version, server: this.server.address, waiting: this.queue.size });
  }

  private async handle(
    message: Request | Delivery | Wanted | RecordingEnded,
    from: chrome.runtime.MessageSender,
  ): Promise<unknown> {
    switch (message.type) {
      case 'deliver':
        return this.deliveries.take(message, from);
      case 'inject-page':
        return injectPage(this.settings, from.tab?.id ?? -1, from.frameId ?? 0);
      case 'recording-ended':
        return recordingEnded(message, from);
      default:
        return answerOwnPage(this, message, from);
    }
  }

  private listenToTabs(): void {
    const { ready } = this;
    const statusSoon = () => this.statusSoon();
    chrome.tabs.onUpdated.addListener((tabId, change) => {
      if (change.status === 'loading' && change.url !== undefined) this.late.delete(tabId);
      if (change.status === 'loading') void ready.then(() => recordingLeft(tabId, this.settings, this.server));
      if (change.url !== undefined || change.title !== undefined || change.status !== undefined)
        void ready.then(statusSoon);
      if (change.status !== undefined) void ready.then(() => this.badges.showSoon(tabId));
    });
    chrome.tabs.onRemoved.addListener((tabId) => {
      this.late.delete(tabId);
      this.enricher.forgetTab(tabId);
      void ready.then(() => {
        this.deliveries.forgetTab(tabId);
        statusSoon();
      });
    });
    chrome.tabs.onActivated.addListener(({ tabId }) => void ready.then(() => [statusSoon(), this.badges.show(tabId)]));
    chrome.windows.onFocusChanged.addListener(() => void ready.then(statusSoon));
  }

  private connected(serverVersion: string): void {
    this.connection = { state: 'connected', server: this.server.address, serverVersion };
    this.sender.serverIsBack();
    void this.ownLogs.send();
    void this.badges.showActive();
  }

  private disconnected(problem: string): void {
    this.connection = {
      state: this.sender.breaker.isOpen ? 'paused' : 'disconnected',
      server: this.server.address,
      problem: `${problem} Start your AI client, or run "gasoline serve".`,
    };
    void this.badges.showActive();
  }

  private async answerQuery(query: PendingQuery): Promise<void> {
    const { settings, server, camera, log } = this;
    const result = await answer(query, { settings, server, camera, log });
    // The server uses the tabs that it knows to name alternatives, and to find the active page's data in its cache. So
    // pending news of tabs is sent before the answer.
    if (result.error || this.statusTimer !== undefined) await this.reportStatus();
    const text = JSON.stringify({ type: 'result', ...result });
    // Screenshots are too large for the socket.
    if (text.length < SOCKET_MESSAGE_BYTES / 4 && this.socket.isOpen) return this.socket.sendText(text);
    const problem = await this.server.withToken('/dom-result', { method: 'POST', body: text }).then(
      (response) => (response.ok ? undefined : `The server refused the answer: ${response.status}.`),
      (error) => String(error),
    );
    if (problem === undefined) return;
    log.add('warn', 'an answer was not delivered', { action: query.action, bytes: text.length, problem });
    const message = `${problem} The answer has ${Math.ceil(text.length / 1_048_576)} MB; ask for less.`;
    const error = { message, type: 'too_large', code: 'TOO_LARGE' } as const;
    this.socket.send({ type: 'result', ...result, result: null, error });
  }

  private inTurn(change: () => Promise<void>): void {
    this.changes = this.changes
      .then(change)
      .catch((error) => this.log.add('error', 'a change did not reach the pages', { error: String(error) }));
  }

  private async applySettings(changed: Settings): Promise<void> {
    const moved = changed.server !== this.server.address;
    this.settings = changed;
    if (moved) {
      this.socket.close();
      this.server = new Server(changed.server);
      this.connection = { state: 'connecting', server: this.server.address };
      void this.socket.open(this.server);
    }
    await this.registerScripts();
    await refreshTabs(this.settings, this.memory, this.addLate);
    this.applied = changed;
    await this.reportStatus();
    await this.badges.showActive();
  }

  /** Open pages are updated even if this fails. */
  private registerScripts(): Promise<void> {
    return registerScripts(this.settings).catch((error: unknown) => {
      this.log.add('error', 'the scripts could not be registered', { error: String(error) });
    });
  }

  private readonly addLate = (tabId: number): void => {
    this.late.add(tabId);
    void write({ late: [...this.late] });
  };

  private statusSoon(): void {
    if (this.statusTimer !== undefined) return;
    this.statusTimer = setTimeout(() => {
      this.statusTimer = undefined;
      void this.reportStatus();
    }, STATUS_MILLIS);
  }

  private async reportStatus(): Promise<void> {
    this.socket.send({ type: 'status', ...(await this.status()) });
  }

  private async status(): Promise<Status> {
    // A site is captured only when both the new settings and those in effect capture it.
    const isCaptured = (url: string) => [this.settings, this.applied].every((each) => judge(url, each).captured);
    return { tabs: await listTabs(isCaptured), settings: reportedSettings(this.applied), counts: this.accounting };
  }

  private afterSending(): void {
    if (this.connection.state !== 'connected' && !this.sender.breaker.isOpen) void this.socket.open(this.server);
    this.statusSoon();
    this.guardMemory();
  }

  private guardMemory(): void {
    if (this.memoryGuard.state !== this.memory) this.inTurn(() => this.applyMemory());
  }

  private async applyMemory(): Promise<void> {
    const now = this.memoryGuard.state;
    if (now === this.memory) return;
    this.log.add(now === 'normal' ? 'info' : 'warn', `memory: ${now}`, { megabytes: this.memoryGuard.megabytes });
    await this.queue.resize(now === 'normal' ? 1 : 0.5);
    if (now === 'hard') await this.queue.discard((event) => event.startsWith('{"type":"network"'));
    await refreshTabs(this.settings, now, this.addLate);
    this.memory = now;
  }
}
