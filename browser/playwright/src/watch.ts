// Facts that Playwright knows and a script in a page cannot: why a request failed, documents that did not load, pages
// that crashed, and the browser's own console messages. They are reported at the end, unless the page's script reported
// them.

import type { BrowserContext, ConsoleMessage, Page, Request, Response, WebError } from '@playwright/test';
import { RESPONSE_BODY_BYTES } from 'gasoline-capture/limits.gen';
import { hasAuthHeader, sanitizeHeaders } from 'gasoline-capture/redact';
import { cutBytes } from 'gasoline-capture/text';

/** More of one kind than this adds nothing new. */
const KEPT = 200;
/** A request that is younger than this when its test ends may still be answered. */
const PATIENCE_MILLIS = 1_000;
/** Event streams never end by themselves. */
const WAITED_FOR = new Set(['document', 'fetch', 'xhr', 'script', 'stylesheet']);

interface Failed {
  ts: number;
  method: string;
  url: string;
  status: number;
  error?: string;
  kind: string;
  pageUrl: string;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string>;
  duration?: number;
  body?: string;
}

interface Said {
  ts: number;
  level: 'error' | 'warn';
  source: string;
  message: string;
  url: string;
  stack?: string;
  filename?: string;
  lineno?: number;
  colno?: number;
}

type Told = Record<string, unknown> & { type?: string; message?: string; url?: string; requestUrl?: string };

/** `whose`: returns the test that a context currently belongs to. */
export function watchContext(context: BrowserContext, whose: () => Watch | undefined): void {
  context.on('request', (request) => quietly(() => whose()?.asked(request)));
  context.on('requestfailed', (request) => quietly(() => whose()?.failed(request)));
  context.on('response', (response) => quietly(() => whose()?.answered(response)));
  context.on('console', (message) => quietly(() => whose()?.console(message)));
  context.on('weberror', (error) => quietly(() => whose()?.error(error)));
  const watchPage = (page: Page) => page.on('crash', () => quietly(() => whose()?.crash(page)));
  for (const page of context.pages()) watchPage(page);
  context.on('page', watchPage);
}

export class Watch {
  private readonly requests: Failed[] = [];
  private readonly said: Said[] = [];
  private readonly crashes: Said[] = [];
  /** Requests that the scripts in the pages reported themselves. */
  private readonly reportedRequests = new Set<string>();
  private readonly reportedMessages = new Set<string>();
  private isPolicyReported = false;
  /** Why requests failed, by address. */
  private readonly reasons = new Map<string, string>();
  private readonly headers = new Map<string, Record<string, string>>();
  private reading: Promise<unknown> = Promise.resolve();
  /** Requests without an answer yet, and when they started. */
  private readonly waiting = new Map<Request, number>();

  /** Called for each event of a page's script. */
  saw(text: string): void {
    if (!/^\{"type":"(error|network)"/.test(text)) return;
    const event = JSON.parse(text) as Told;
    if (event.type === 'network') this.reportedRequests.add(String(event.url));
    if (event.requestUrl) this.reportedRequests.add(event.requestUrl);
    if (event.source === 'csp') this.isPolicyReported = true;
    if (event.message) this.reportedMessages.add(event.message);
  }

  /** An event with the facts known here: the reason behind "Failed to fetch", a document's headers. */
  improve(text: string): string {
    if (text.startsWith('{"type":"performance"')) return this.withHeaders(text);
    if (!text.includes('"status":0')) return text;
    return quietly(() => this.withReason(text)) ?? text;
  }

  /** Facts that no page reported, as events. */
  async rest(): Promise<object[]> {
    await this.reading;
    const events: object[] = [...this.crashes.splice(0).map(entry)];
    for (const failed of this.requests.splice(0)) {
      if (!this.reportedRequests.has(failed.url)) events.push(...requestEvents(failed));
    }
    for (const said of this.said.splice(0)) {
      if (this.isPolicyReported && /Content Security Policy/i.test(said.message)) continue;
      if (!this.reportedMessages.has(said.message)) events.push(entry(said));
    }
    return events;
  }

  /** The test is over and its pages are about to close: reports the requests that they are still waiting for. */
  noteWaiting(): void {
    for (const [request, since] of this.waiting) {
      const millis = Date.now() - since;
      if (millis < PATIENCE_MILLIS) continue;
      const error = `no answer within ${(millis / 1_000).toFixed(1)} s, when the test ended`;
      this.keep(this.requests, { ...about(request), status: 0, error, duration: millis, responseHeaders: {} });
    }
    this.waiting.clear();
  }

  asked(request: Request): void {
    if (WAITED_FOR.has(request.resourceType())) this.waiting.set(request, Date.now());
  }

  failed(request: Request): void {
    this.waiting.delete(request);
    const reason = request.failure()?.errorText ?? '';
    this.reasons.set(request.url(), reason);
    // The page was left or the test ended, so nothing waits for this request any more.
    if (/ERR_ABORTED|NS_BINDING_ABORTED|cancelled/i.test(reason)) return;
    this.keep(this.requests, { ...about(request), status: 0, error: reason, responseHeaders: {} });
  }

  answered(response: Response): void {
    const request = response.request();
    this.waiting.delete(request);
    const isDocument = request.resourceType() === 'document';
    if (isDocument) this.headers.set(response.url(), sanitizeHeaders(Object.entries(response.headers())));
    if (response.status() < 400) return;
    const failed: Failed = {
      ...about(request),
      status: response.status(),
      responseHeaders: sanitizeHeaders(Object.entries(response.headers())),
    };
    this.keep(this.requests, failed);
    if (!isDocument) return;
    const body = response.text().then(
      (text) => {
        failed.body = cutBytes(text, RESPONSE_BODY_BYTES).text;
      },
      () => {},
    );
    // A body that does not end must not delay the test.
    const patience = new Promise((done) => setTimeout(done, 1_000).unref());
    this.reading = Promise.all([this.reading, Promise.race([body, patience])]);
  }

  /** The page's script reports the lines of the page's own code, but not those of the browser and of workers. */
  console(message: ConsoleMessage): void {
    const level = message.type() === 'warning' ? 'warn' : message.type();
    if (level !== 'error' && level !== 'warn') return;
    const worker = (message as { worker?: () => unknown }).worker?.();
    if (!worker && message.args().length > 0) return;
    const text = message.text();
    if (/^Failed to load resource/.test(text)) return;
    const { url, lineNumber, columnNumber } = message.location();
    this.keep(this.said, {
      ts: Date.now(),
      level,
      source: worker ? 'worker' : 'browser',
      message: text,
      url: message.page()?.url() ?? '',
      ...(url && { filename: url, lineno: lineNumber + 1, colno: columnNumber + 1 }),
    });
  }

  error(webError: WebError): void {
    const error = webError.error();
    const { message = String(error), stack } = error instanceof Error ? error : { stack: undefined };
    this.keep(this.said, {
      ts: Date.now(),
      level: 'error',
      source: 'exception',
      message,
      url: webError.page()?.url() ?? '',
      ...(stack && { stack }),
    });
  }

  crash(page: Page): void {
    const message = `The page crashed: its process ended while it showed ${page.url()}`;
    this.keep(this.crashes, { ts: Date.now(), level: 'error', source: 'crash', message, url: page.url() });
  }

  private withReason(text: string): string {
    const event = JSON.parse(text) as Told & { error?: string };
    const reason = this.reasons.get(event.requestUrl ?? event.url ?? '');
    if (!reason || event.status !== 0) return text;
    const withReason = (said: string) =>
      said.replace(/Failed to fetch|no answer|network error/i, (what) => `${what} (${reason})`);
    if (event.message) event.message = withReason(event.message);
    if (event.error) event.error = withReason(event.error);
    return JSON.stringify(event);
  }

  private withHeaders(text: string): string {
    const event = JSON.parse(text) as Told & { timing?: object; softNavigation?: boolean };
    if (!event.timing || event.softNavigation) return text;
    const found = [...this.headers].findLast(([url]) => URL.canParse(url) && new URL(url).pathname === event.url);
    if (!found) return text;
    return JSON.stringify({ ...event, pageUrl: found[0], documentHeaders: found[1] });
  }

  private keep<T>(list: T[], item: T): void {
    if (list.length < KEPT) list.push(item);
  }
}

function about(request: Request): Omit<Failed, 'status' | 'responseHeaders'> {
  const { startTime, responseEnd } = request.timing();
  const headers = request.headers();
  return {
    ts: startTime > 0 ? Math.round(startTime) : Date.now(),
    method: request.method(),
    url: request.url(),
    kind: request.resourceType(),
    pageUrl: quietly(() => request.frame().page().url()) ?? '',
    requestHeaders: sanitizeHeaders(Object.entries(headers)),
    ...(hasAuthHeader(Object.entries(headers)) && { hasAuthHeader: true }),
    ...(responseEnd > 0 && { duration: Math.round(responseEnd) }),
  };
}

function requestEvents({ body, kind, error, pageUrl, ...failed }: Failed): object[] {
  const id = `runner-${Math.random().toString(36).slice(2, 11)}`;
  const { ts, method, url, status, duration } = failed;
  const what = status === 0 ? `failed: ${error || 'no answer'}` : String(status);
  const common = { ts, ...(duration !== undefined && { duration }), requestId: id };
  return [
    {
      type: 'error',
      ...common,
      id: `${id}-1`,
      source: 'network',
      level: 'error',
      message: `${method} ${url} → ${what}`,
      url: pageUrl,
      method,
      requestUrl: url,
      status,
    },
    {
      type: 'network',
      ...failed,
      ...common,
      initiator: kind,
      pageUrl,
      ...(failed.responseHeaders['content-type'] && { contentType: failed.responseHeaders['content-type'] }),
      ...(error && { error }),
      ...(body !== undefined && { responseBody: body }),
    },
  ];
}

function entry(said: Said): object {
  return { type: 'error', ...said };
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
