// One attempt of one test: the events of its pages, and the reports about it to the server.

import { writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Page, TestInfo } from '@playwright/test';
import type { Snapshot } from 'gasoline-capture/wire.gen';
import { Carrier, type Tags } from './carrier';
import { type Client, Refused } from './client';
import { within } from './deadline';
import { messageOf } from './message';
import type { Heard, Pages } from './pages';
import type { Reports } from './reports';
import type { Run } from './run';
import { EMPTY_STATS, type GasolineFixture, type GasolineTestOptions } from './types';
import { Watch } from './watch';

const DRAIN_MILLIS = 3_000;
/** Includes the upload of source maps, which only failed tests wait for. */
const MAPS_MILLIS = 8_000;
/** A deadline for all work at a test's end. */
const PASSED_MILLIS = 3_000;
const FAILED_MILLIS = MAPS_MILLIS + 4_000;
const SNAPSHOT_NAME = 'gasoline-snapshot.json';

export interface Worker {
  client: Client;
  run: Run;
  pages: Pages;
  reports: Reports;
}

export class Session {
  readonly id: string;
  readonly watch = new Watch();
  protected readonly carrier: Carrier;
  private tags: Tags;
  /** Playwright has taken over the test again: nothing may be attached any more. */
  private isOver = false;
  /** Resolves when the server knows of this test. */
  private begun: Promise<void> = Promise.resolve();
  private readonly tabs = new Map<Page, { number: number; document: string }>();

  constructor(
    protected readonly worker: Worker,
    protected readonly info: TestInfo,
    private readonly options: GasolineTestOptions,
  ) {
    const { titlePath, project, retry, repeatEachIndex, workerIndex } = info;
    this.id = [
      titlePath.join(' › '),
      ...(project.name ? [`[${project.name}]`] : []),
      ...(repeatEachIndex > 0 ? [`repeat ${repeatEachIndex}`] : []),
      `attempt ${retry + 1}`,
      `worker ${workerIndex}`,
      worker.run.tag,
    ].join(' ');
    this.tags = { test_id: this.id, worker: String(workerIndex) };
    this.carrier = new Carrier(
      worker.client,
      (text) => this.watch.improve(text),
      (dropped) =>
        this.add(
          {
            type: 'console',
            level: 'warn',
            source: 'gasoline',
            ts: Date.now(),
            message: `[gasoline] ${dropped} events did not reach the server`,
          },
          '',
        ),
    );
  }

  get captureMode(): GasolineTestOptions['gasolineCaptureMode'] {
    return this.options.gasolineCaptureMode;
  }

  /** Somebody will examine this attempt: it failed, or it passed after a failure. */
  get isInteresting(): boolean {
    return this.failed || this.info.retry > 0;
  }

  /** Relative to the project's folder, so that it does not reveal the machine's paths. */
  private get file(): string {
    const { configFile, rootDir } = this.info.config;
    return relative(configFile ? dirname(configFile) : rootDir, this.info.file).replaceAll('\\', '/');
  }

  /** Contexts that are created during this session belong to it until they are closed. */
  get ownsContexts(): boolean {
    return true;
  }

  protected get failed(): boolean {
    const { status, expectedStatus } = this.info;
    return status !== undefined && status !== 'skipped' && status !== expectedStatus;
  }

  take({ frame, pageId, events }: Heard): void {
    const page = frame.page();
    const tab = this.tabs.get(page) ?? { number: this.tabs.size + 1, document: pageId };
    if (frame === page.mainFrame()) tab.document = pageId;
    this.tabs.set(page, tab);
    const number = page.frames().indexOf(frame);
    const document = number > 0 ? `${tab.document}.${number}` : pageId;
    const tail = `,"tabId":${tab.number},"page_id":${JSON.stringify(document)}}`;
    for (const event of events) {
      this.watch.saw(event);
      this.carrier.add(event.slice(0, -1) + tail, this.tags, page.url());
    }
  }

  /** A test need not wait for this. */
  begin(): Promise<void> {
    const { titlePath, line, project, retry, repeatEachIndex: repeat, config } = this.info;
    const { shard } = config;
    this.begun = this.report('start', {
      title: titlePath.join(' › '),
      file: this.file,
      line,
      ...(project.name && { project: project.name }),
      retry,
      ...(repeat > 0 && { repeat }),
      ...(shard && { shard: `${shard.current}/${shard.total}` }),
    });
    return this.begun;
  }

  /** Ends the session within a bounded time, and never throws. */
  async end(): Promise<void> {
    const interesting = this.isInteresting;
    await within(
      interesting ? FAILED_MILLIS : PASSED_MILLIS,
      quietly(() => this.finish(interesting)),
    );
    this.isOver = true;
  }

  protected async finish(interesting: boolean): Promise<void> {
    await this.gather(interesting);
    const reported = this.reportEnd();
    if (!interesting && this.carrier.isUnused) {
      // Nothing depends on the result, so nothing waits for it.
      void this.forget();
      return;
    }
    await reported;
    const { info, worker } = this;
    const key = `attempts-${info.testId}-${info.repeatEachIndex}.json`;
    if (this.failed) {
      worker.run.write(key, this.id);
      await this.attachFailure();
      return;
    }
    const before = info.retry > 0 ? worker.run.read<string>(key) : undefined;
    if (before && info.status === 'passed' && this.options.gasolineAttachOnFailure) {
      await this.attachDifference(before);
      // Reports over several shards see only attachments, and learn from this one that the test is flaky.
      await this.attachSnapshot();
    }
    if (!interesting) await this.carrier.drain(DRAIN_MILLIS);
    await this.forget();
  }

  /**
   * Collects the remaining events of this attempt's pages. Pages that stay open must not send them during the next
   * attempt.
   */
  protected async gather(interesting: boolean): Promise<void> {
    if (interesting) this.watch.noteWaiting();
    await this.worker.pages.flush(this);
    if (interesting) await this.settle(true);
  }

  protected forget(): Promise<void> {
    const path = `/clear?test_id=${encodeURIComponent(this.id)}`;
    return this.worker.reports.add(() => this.worker.client.post(path, ''));
  }

  protected reportEnd(): Promise<void> {
    const { info } = this;
    const { status, expectedStatus, duration } = info;
    const error = messageOf(info);
    return this.report('end', {
      status,
      expected_status: expectedStatus,
      duration_ms: Math.round(duration),
      ...(error && { error }),
      location: `${this.file}:${info.line}:${info.column}`,
    });
  }

  readonly fixture: GasolineFixture = {
    getSnapshot: async (since) => {
      await this.begun;
      await this.worker.pages.flush(this);
      await this.settle(false);
      const query = new URLSearchParams({ test_id: this.tags.test_id, ...(since && { since }) });
      const snapshot = await unlessRefused(() => this.worker.client.get(`/snapshot?${query}`));
      return snapshot ? (JSON.parse(snapshot) as Snapshot & { timestamp: string }) : NOTHING.getSnapshot();
    },
    clear: async () => {
      await this.begun;
      await this.worker.pages.flush(this);
      await this.settle(false);
      const path = `/clear?test_id=${encodeURIComponent(this.tags.test_id)}`;
      await unlessRefused(() => this.worker.client.post(path, ''));
    },
    markTest: async (testId, action) => {
      await this.begun;
      await this.worker.pages.flush(this);
      await this.settle(false);
      const { worker } = this.tags;
      await unlessRefused(() => this.worker.client.post('/test-boundary', { test_id: testId, action, worker }));
      this.tags = { test_id: action === 'start' ? testId : this.id, worker };
    },
  };

  /** Waits until all events are on the server. */
  private async settle(maps: boolean): Promise<void> {
    const millis = maps ? MAPS_MILLIS : DRAIN_MILLIS;
    const all = async () => {
      await this.carrier.drain(millis, maps);
      for (const event of await this.watch.rest()) this.add(event, '');
      await this.carrier.drain(millis, maps);
    };
    await within(millis, all());
  }

  private add(event: object, pageUrl: string): void {
    this.carrier.add(JSON.stringify(event), this.tags, pageUrl);
  }

  private report(action: 'start' | 'end', record: object): Promise<void> {
    const { test_id, worker } = { ...this.tags, test_id: this.id };
    return this.worker.reports.add(() =>
      this.worker.client.post('/test-boundary', { test_id, worker, action, ...record }),
    );
  }

  protected async attachFailure(): Promise<void> {
    if (!this.options.gasolineAttachOnFailure) return;
    const { client } = this.worker;
    const id = encodeURIComponent(this.id);
    const snapshot = this.getSnapshot();
    const context = await quietly(() => client.get(`/report?format=ai-context&test_id=${id}`));
    if (this.isOver) return;
    if (context) await this.info.attach('gasoline-context', { body: context, contentType: 'text/markdown' });
    await this.attachSnapshot(snapshot);
  }

  private getSnapshot(): Promise<string | undefined> {
    return quietly(() => this.worker.client.get(`/snapshot?test_id=${encodeURIComponent(this.id)}`));
  }

  /** Writes it to the attempt's output folder. */
  private async attachSnapshot(asked = this.getSnapshot()): Promise<void> {
    const snapshot = await asked;
    if (!snapshot || this.isOver) return;
    const path = this.info.outputPath(SNAPSHOT_NAME);
    writeFileSync(path, snapshot);
    this.info.attachments.push({ name: 'gasoline-snapshot', path, contentType: 'application/json' });
  }

  private async attachDifference(failed: string): Promise<void> {
    const query = new URLSearchParams({ failed, passed: this.id });
    const difference = await quietly(() => this.worker.client.get(`/report/difference?${query}`));
    if (!difference || this.isOver) return;
    await this.info.attach('gasoline-flaky', { body: difference, contentType: 'text/markdown' });
  }
}

/**
 * A `beforeAll` or `afterAll` hook. Its events belong to the test that it runs for, because Playwright reports the
 * hook's failure as that test's.
 */
export class HookSession extends Session {
  private readonly errorsBefore = this.info.errors.length;

  constructor(
    worker: Worker,
    info: TestInfo,
    options: GasolineTestOptions,
    private readonly hook: 'beforeAll' | 'afterAll',
  ) {
    super(worker, info, options);
  }

  /** Pages that are created before all tests serve each of them. */
  override get ownsContexts(): boolean {
    return false;
  }

  /** An `afterAll` hook may pass although its test failed. */
  protected override get failed(): boolean {
    return this.info.errors.length > this.errorsBefore;
  }

  protected override async finish(interesting: boolean): Promise<void> {
    await this.gather(interesting);
    if (!this.failed) {
      await this.carrier.drain(DRAIN_MILLIS);
      // Events of a hook before the test are part of the test, which is still to come.
      if (this.hook === 'afterAll' && !super.failed) await this.forget();
      return;
    }
    await this.begin();
    await this.reportEnd();
    await this.attachFailure();
  }
}

/** The fixture of tests that run without a server. */
export const NOTHING: GasolineFixture = {
  getSnapshot: async () => ({
    timestamp: new Date().toISOString(),
    logs: [],
    websocket_events: [],
    network_bodies: [],
    stats: { ...EMPTY_STATS },
  }),
  clear: async () => {},
  markTest: async () => {},
};

async function quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

/** Throws when a test asked for something that the server refuses. An unreachable server does not make a test fail. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused && error.isFinal) throw error;
    return undefined;
  }
}
