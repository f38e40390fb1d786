// Adds our script to every page of a context, whoever creates the context, and receives its messages.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserType,
  chromium,
  type Frame,
  firefox,
  type Page,
  webkit,
} from '@playwright/test';
import type { FromPage, Order } from 'gasoline-capture/binding-messages';
import { within } from './deadline';
import type { Session } from './session';
import { watchContext } from './watch';

const BINDING = '__gasolineSend';
/** A page that is busy, frozen or gone is waited for no longer than this. */
const FLUSH_MILLIS = 1_000;
const LATE_MILLIS = 1_000;
/** How many events of contexts that live between tests are kept for the next test. */
const BETWEEN_TESTS = 500;

interface Listening {
  pageId: string;
  order(order: Order): void;
  /** Callbacks for when an order was carried out, or cannot be any more. */
  done: Map<number, () => void>;
}

export interface Heard {
  frame: Frame;
  pageId: string;
  events: string[];
}

/** This worker's pages, and the test that is running. */
export class Pages {
  private current: Session | undefined;
  private readonly owners = new WeakMap<BrowserContext, Session>();
  private readonly known = new WeakSet<BrowserContext>();
  private readonly listening = new Map<Frame, Listening>();
  private between: Heard[] = [];
  private orders = 0;
  private script: string | undefined;

  /** From now on, every context that a browser of this process creates is captured. */
  constructor() {
    for (const type of [chromium, firefox, webkit]) this.watchType(type);
  }

  begin(session: Session): void {
    this.current = session;
    for (const batch of this.between.splice(0)) session.take(batch);
  }

  end(): void {
    this.current = undefined;
  }

  /** Asks all pages that belong to a test for events that they have not sent yet. */
  async flush(session: Session): Promise<void> {
    await this.flushFrames((frame) => this.ownerOf(frame.page().context()) === session);
  }

  private ownerOf(context: BrowserContext): Session | undefined {
    return this.owners.get(context) ?? this.current;
  }

  private watchType(type: BrowserType): void {
    type Launch = (...args: unknown[]) => Promise<unknown>;
    const methods = type as unknown as Record<string, Launch | undefined>;
    for (const name of ['launch', 'connect', 'connectOverCDP', 'launchPersistentContext']) {
      const native = methods[name];
      if (typeof native !== 'function') continue;
      methods[name] = async (...args) => {
        const made = await native.apply(type, args);
        if (name === 'launchPersistentContext') await this.enter(made as BrowserContext);
        else await this.watchBrowser(made as Browser);
        return made;
      };
    }
  }

  private async watchBrowser(browser: Browser): Promise<void> {
    // A browser that was there before has contexts and pages that serve every test.
    for (const context of browser.contexts()) await this.enter(context, { isShared: true });
    const native = browser.newContext;
    browser.newContext = async (...args) => {
      const context = await native.apply(browser, args);
      await this.enter(context);
      return context;
    };
  }

  /** A context belongs to the test even if our script cannot be added to it. */
  async enter(context: BrowserContext, { isShared = false } = {}): Promise<void> {
    if (this.known.has(context)) return;
    this.known.add(context);
    const { current } = this;
    if (current?.ownsContexts && !isShared) this.owners.set(context, current);
    try {
      const content = `${this.configFor(current)}${this.text}`;
      await context.exposeBinding(BINDING, ({ frame }, text: string) => this.hear(frame, text));
      await context.addInitScript({ content });
      // Documents that exist already get the script late; one that does not respond is left as it is.
      const frames = context.pages().flatMap((page) => page.frames());
      await within(LATE_MILLIS, Promise.allSettled(frames.map((frame) => frame.evaluate(content))));
    } catch {
      return;
    }
    watchContext(context, () => this.ownerOf(context)?.watch);
    const { close } = context;
    context.close = async (...args) => {
      // Events after a test that passed are never read.
      const owner = this.ownerOf(context);
      if (owner?.isInteresting) {
        owner.watch.noteWaiting();
        await this.flushFrames((frame) => frame.page().context() === context);
      }
      return close.apply(context, args);
    };
    for (const page of context.pages()) this.watchPage(page);
    context.on('page', (page) => this.watchPage(page));
  }

  private watchPage(page: Page): void {
    const { close } = page;
    page.close = async (...args) => {
      await this.flushFrames((frame) => frame.page() === page);
      return close.apply(page, args);
    };
    const forget = () => {
      for (const frame of this.listening.keys()) if (frame.page() === page) this.forget(frame);
    };
    page.on('close', forget);
    page.on('crash', forget);
    page.on('framedetached', (frame) => this.forget(frame));
  }

  private get text(): string {
    this.script ??= readFileSync(join(__dirname, 'gasoline-ci.min.js'), 'utf8');
    return this.script;
  }

  private configFor(session: Session | undefined): string {
    return `window.__GASOLINE_CI__=${JSON.stringify({ captureMode: session?.captureMode ?? 'errors-only' })};\n`;
  }

  /** Receives a page's message. The reply is an order; it may come much later, or never. */
  private async hear(frame: Frame, text: string): Promise<Order | undefined> {
    const message = read(text);
    if (!message) return undefined;
    if ('events' in message) {
      const session = this.ownerOf(frame.page().context());
      const batch = { frame, pageId: message.pageId, events: message.events };
      if (session) session.take(batch);
      else if (this.between.length < BETWEEN_TESTS) this.between.push(batch);
      return undefined;
    }
    const before = this.listening.get(frame);
    const done = before?.pageId === message.pageId ? before.done : new Map<number, () => void>();
    if (before && before.done !== done) this.forget(frame);
    if (message.done !== undefined) done.get(message.done)?.();
    return new Promise<Order>((order) => this.listening.set(frame, { pageId: message.pageId, order, done }));
  }

  private forget(frame: Frame): void {
    const listening = this.listening.get(frame);
    this.listening.delete(frame);
    for (const done of listening?.done.values() ?? []) done();
  }

  private async flushFrames(meant: (frame: Frame) => boolean): Promise<void> {
    const asked: Array<Promise<void>> = [];
    for (const [frame, { order, done }] of this.listening) {
      if (!meant(frame)) continue;
      const number = ++this.orders;
      asked.push(new Promise((resolve) => done.set(number, resolve)));
      order({ flush: number });
    }
    if (asked.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((over) => {
      timer = setTimeout(over, FLUSH_MILLIS);
    });
    await Promise.race([Promise.all(asked), patience]);
    clearTimeout(timer);
  }
}

/** A page can call our function, too, so only values of the right shape pass. */
function read(text: unknown): FromPage | undefined {
  try {
    const message = JSON.parse(String(text)) as FromPage;
    if (typeof message?.pageId !== 'string') return undefined;
    if ('ask' in message) return message;
    return Array.isArray(message.events) && message.events.every(isEvent) ? message : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(event: unknown): boolean {
  return typeof event === 'string' && /^\{"type":"[a-z_]+".*\}$/s.test(event);
}
