// Adds context to an error: its source, the components in which it happened, the application's state. The error itself
// is sent at once. Its context follows under the same id, within three seconds and with what was found by then.

import { type Ancestry, findAncestry } from 'gasoline-capture/components/ancestry';
import type { Failure } from 'gasoline-capture/components/failures';
import { framesOf, isWebAddress } from 'gasoline-capture/components/frames';
import { lineStarts, type ScriptText } from 'gasoline-capture/components/positions';
import { Rate } from 'gasoline-capture/components/rate';
import { DEDUPE_MILLIS, ENRICH_MILLIS, STATE_BYTES } from 'gasoline-capture/limits.gen';
import { byteLength } from 'gasoline-capture/text';
import type { Settings } from '../../shared/settings';
import { judge } from '../../shared/sites';
import { before } from '../deadline';
import type { DebugLog } from '../debug-log';
import type { Server } from '../server';
import { callInPage } from './in-page';
import { ScriptTexts } from './script-texts';
import { type Page, SourceMaps } from './source-maps';

const UPLOADED_UNASKED = 500;
const RECENT = 50;
const REPEAT_MILLIS = DEDUPE_MILLIS * 2;

export interface Surroundings {
  settings(): Settings;
  server(): Server;
  log: DebugLog;
  /** Puts an event into the queue that all events go through. */
  queue(event: string): Promise<void>;
}

interface Context {
  componentAncestry?: Ancestry;
  stateSnapshot?: unknown;
}

export class Enricher {
  private readonly rate = new Rate();
  private readonly texts: ScriptTexts;
  private readonly maps: SourceMaps;
  /** Errors that have not reached the server yet, with the callbacks that wait for that. */
  private readonly unsent = new Map<string, () => void>();
  /** Scripts whose maps were uploaded without a request of the server's, once for each page load. */
  private readonly uploadedUnasked = new Set<string>();
  /** Errors that were processed just now: a repeat is reported again a few seconds later, when its snapshot is gone. */
  private readonly recent = new Map<string, { at: number; context: Promise<Context> }>();
  /** Source maps on their way to the server. */
  private uploading: Promise<unknown> = Promise.resolve();

  constructor(private readonly around: Surroundings) {
    this.texts = new ScriptTexts(() => around.settings().server);
    this.maps = new SourceMaps({
      server: around.server,
      texts: this.texts,
      log: around.log,
      allowed: (page) => this.mayReadSource(page),
    });
  }

  /** Called when errors of one document came in. */
  note(failures: Failure[], page: Page): void {
    const { aiContextEnabled, aiContextComponentTree, aiContextStateSnapshot } = this.around.settings();
    if (!aiContextEnabled) return;
    for (const failure of failures) {
      const scripts = framesOf(failure.stack).map(({ url }) => url);
      this.maps.remember(scripts, page);
      if (!aiContextComponentTree && !aiContextStateSnapshot) continue;
      const key = `${page.id} ${failure.message}\n${failure.stack}`;
      const earlier = this.recent.get(key);
      if (earlier && Date.now() - earlier.at < REPEAT_MILLIS) {
        void earlier.context.then((context) => this.queue(failure.id, context)).catch(() => {});
        continue;
      }
      if (!this.rate.allows(page.tabId, page.id)) {
        // Not one line for each: they would push all other lines out of the log.
        if (this.rate.skipped % 100 === 1) {
          this.around.log.add('debug', 'too many errors: some go without context', { skipped: this.rate.skipped });
        }
        continue;
      }
      const context = this.enrich(failure, page);
      this.recent.delete(key);
      this.recent.set(key, { at: Date.now(), context });
      for (const oldest of this.recent.keys()) if (this.recent.size > RECENT) this.recent.delete(oldest);
      context
        .then((context) => this.queue(failure.id, context))
        .catch((error) => this.around.log.add('warn', 'no context for an error', { error: String(error) }));
    }
  }

  /** Called when the server has accepted these events and asks for these source maps. */
  sent(events: string[], wanted: string[]): void {
    if (wanted.length > 0) {
      this.uploading = Promise.all([this.uploading, this.maps.bring(wanted)]).catch(() => {});
    }
    for (const [id, done] of this.unsent) {
      const mark = `"id":${JSON.stringify(id)}`;
      if (events.some((event) => event.includes(mark))) done();
    }
  }

  forgetTab(tabId: number): void {
    this.rate.forget(tabId);
  }

  private async enrich(failure: Failure, page: Page): Promise<Context> {
    const settings = this.around.settings();
    const until = Date.now() + ENRICH_MILLIS;
    const onServer = new Promise<void>((done) => this.unsent.set(failure.id, done));
    const context: Context = {};
    const frames = framesOf(failure.stack);
    const attempt = async (work: Promise<void>, what: string) => {
      try {
        await before(until - Date.now(), work, () => new Error('it took too long'));
      } catch (error) {
        this.around.log.add('debug', `no ${what} for an error`, { error: String(error) });
      }
    };
    const ancestry = async () => {
      const found = await findAncestry(failure, frames, {
        readComponents: () => callInPage(page, 'readComponents', failure.id),
        describe: (tree, components) => callInPage(page, 'describe', failure.id, tree, components),
        script: (url) => this.script(url, page),
      });
      if (!found) return;
      context.componentAncestry = found;
      await this.bringNames(
        found,
        frames.map(({ url }) => url),
        page,
      );
    };
    const state = async () => {
      const found = await callInPage(page, 'state', failure.id, failure.message);
      // A page could replace our script with anything.
      if (found && byteLength(JSON.stringify(found)) <= STATE_BYTES) context.stateSnapshot = found;
    };
    await Promise.all([
      settings.aiContextComponentTree && attempt(ancestry(), 'components'),
      settings.aiContextStateSnapshot && attempt(state(), 'state'),
      // The server restores names with the source maps that it asked for with the error.
      attempt(
        onServer.then(() => this.uploading).then(() => {}),
        'source map',
      ),
    ]);
    this.unsent.delete(failure.id);
    return context;
  }

  private async queue(id: string, context: Context): Promise<void> {
    if (Object.keys(context).length === 0) return;
    await this.around.queue(JSON.stringify({ type: 'error', id, _aiContext: context }));
  }

  /**
   * Uploads the maps of scripts that define components but are in no stack, so that the server did not ask for them.
   */
  private async bringNames({ components }: Ancestry, asked: string[], page: Page): Promise<void> {
    const scripts = new Set(components.flatMap(({ at }) => at?.replace(/:\d+:\d+$/, '') ?? []));
    for (const script of asked) scripts.delete(script);
    const keys = new Map([...scripts].map((script) => [`${page.id} ${script}`, script]));
    const unknown = [...keys].filter(([key]) => !this.uploadedUnasked.has(key)).map(([, script]) => script);
    if (unknown.length === 0) return;
    for (const key of keys.keys()) this.uploadedUnasked.add(key);
    for (const oldest of this.uploadedUnasked)
      if (this.uploadedUnasked.size > UPLOADED_UNASKED) this.uploadedUnasked.delete(oldest);
    this.maps.remember(unknown, page);
    await this.maps.bring(unknown);
  }

  private async script(url: string, page: Page): Promise<ScriptText | undefined> {
    if (!isWebAddress(url) || !this.mayReadSource(page)) return undefined;
    try {
      const { text } = await this.texts.get(url, page.id, page.url);
      return { text, starts: lineStarts(text) };
    } catch {
      return undefined;
    }
  }

  /** Without permission to read source code, no script is fetched, and components are known by their names alone. */
  private mayReadSource(page: Page): boolean {
    const settings = this.around.settings();
    return settings.aiContextEnabled && settings.aiContextSourceSnippets && judge(page.url, settings).captured;
  }
}
