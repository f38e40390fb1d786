// Plays one scenario in two browsers, one without the extension and one with it, bodies included. Both runs must look
// the same.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BrowserContext, ConsoleMessage, Page, Request, WebSocket } from '@playwright/test';
import { buildSync } from 'esbuild';
import type { Answer } from '../../support/agent';
import { launch } from '../../support/chromium';
import { type Route, Site } from '../../support/site';
import { test as base, expect } from '../../support/test';

export { expect };

export interface Scenario {
  /** Sets up routes, sockets and further servers for each run. Returns a function that ends them. */
  prepare?(site: Site, heard: Note): Promise<void | (() => Promise<void>)> | void;
  /** The user's actions. `note` records an observation. */
  play(page: Page, site: Site, note: Note): Promise<void>;
  /** Replaces what differs between any two runs: ports, times, random ids. */
  tidy?(text: string): string;
  /** Requests that the browser makes at will, such as a probe that may or may not be in time. */
  ignore?: RegExp;
  /** Errors that the browser may or may not report, depending on how busy it is. */
  unsteady?: RegExp;
  /** Console lines whose position among the others depends on the network. */
  racy?: RegExp;
  /** Compare the frames of sockets, too. */
  frames?: boolean;
  /** Proves that the extension was there: a tool, its arguments, and what its answer has to contain. */
  captured: Captured | Captured[];
  /** A known difference that cannot be avoided: what is expected instead. Each is listed in ARCHITECTURE.md. */
  limit?(without: Transcript): Transcript;
}

/** The console line about a script in a frame that forbids scripts. Chrome offers no way to leave such frames out. */
export const blockedScript = (url: string) =>
  `error Blocked script execution in '${url}' because the document's frame is sandboxed and the 'allow-scripts' permission is not set.`;

export type Note = (what: string, value?: unknown) => void;
type Captured = [tool: string, args: Record<string, unknown>, fits: (answer: Answer) => boolean];

export interface Transcript {
  steps: string[];
  console: string[];
  errors: string[];
  /** Sorted, because simultaneous requests come in any order. */
  requests: string[];
  frames: string[][];
  /** What the server recorded, also sorted. */
  server: string[];
}

/** A run is over when nothing new has come for this long. */
const QUIET_MILLIS = 400;

interface PerWorker {
  plain: BrowserContext;
}

interface PerTest {
  /** Plays the scenario in both browsers, compares them, and returns the transcript. */
  same(scenario: Scenario): Promise<Transcript>;
}

export const test = base.extend<PerTest, PerWorker>({
  // Bodies on, because copying streams could do the most harm.
  options: [{ sites: ['local'], bodies: true }, { scope: 'worker' }],
  plain: [
    async ({}, use) => {
      const context = await launch();
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  same: async ({ plain, context, eventually }, use) => {
    await use(async (scenario) => {
      const without = await run(plain, scenario);
      const seen = await run(context, scenario, async () => {
        for (const [tool, args, fits] of several(scenario.captured)) await eventually(tool, args, fits);
      });
      expect(seen).toEqual(scenario.limit ? scenario.limit(without) : without);
      return seen;
    });
  },
});

async function run(context: BrowserContext, scenario: Scenario, check?: () => Promise<void>): Promise<Transcript> {
  const site = await Site.open(import.meta.dirname);
  const seen: Transcript = { steps: [], console: [], errors: [], requests: [], frames: [], server: [] };
  const { port } = site;
  const even = (text: string) => {
    const ported = text.replaceAll(`:${port}`, ':<site>');
    return scenario.tidy?.(ported) ?? ported;
  };
  const into =
    (list: string[]): Note =>
    (what, value) =>
      void list.push(even(value === undefined ? what : `${what}: ${JSON.stringify(value)}`));
  let page: Page | undefined;
  const end = await scenario.prepare?.(site, into(seen.server));
  try {
    page = await context.newPage();
    const requests = watch(page, seen, into, scenario.frames);
    await scenario.play(page, site, into(seen.steps));
    await check?.();
    await settled(requests, seen);
    seen.requests = [...requests].map(([request, outcome]) => even(`${request.method()} ${request.url()}${outcome}`));
    seen.requests = seen.requests.filter((line) => !scenario.ignore?.test(line)).sort();
    seen.server.sort();
    const { unsteady } = scenario;
    if (unsteady) seen.errors = seen.errors.filter((line) => !unsteady.test(line));
    if (scenario.racy) seen.console = settle(seen.console, scenario.racy);
    return seen;
  } catch (failure) {
    const shown = JSON.stringify(seen, null, 1).slice(0, 6_000);
    throw new Error(`${check ? 'with' : 'without'} the extension: ${(failure as Error).message}\n${shown}`);
  } finally {
    await page?.close();
    await end?.();
    await site.close();
  }
}

/** Records what the page does by itself. Returns the requests, each with its outcome. */
function watch(page: Page, seen: Transcript, into: (list: string[]) => Note, frames = false): Map<Request, string> {
  page.on('console', (message: ConsoleMessage) => into(seen.console)(`${message.type()} ${message.text()}`));
  page.on('pageerror', (error) => into(seen.errors)(`${error.name} ${error.message}`));
  const requests = new Map<Request, string>();
  page.on('request', (request) => requests.set(request, ''));
  page.on('response', (response) => requests.set(response.request(), ` ${response.status()}`));
  page.on('requestfailed', (request) => requests.set(request, ` ${request.failure()?.errorText}`));
  if (frames) {
    page.on('websocket', (socket: WebSocket) => {
      // Each direction separately: how the two interleave depends on the network.
      const sent: string[] = [];
      const received: string[] = [];
      seen.frames.push(sent, received);
      socket.on('framesent', ({ payload }) => into(sent)(`sent ${payload.toString('latin1' as never)}`));
      socket.on('framereceived', ({ payload }) => into(received)(`received ${payload.toString('latin1' as never)}`));
    });
  }
  return requests;
}

/** Requests, errors and lines are reported a little after the page knows of them: waits until nothing more comes. */
async function settled(requests: Map<Request, string>, seen: Transcript): Promise<void> {
  const now = () => JSON.stringify([[...requests.values()], seen]);
  const until = Date.now() + 5_000;
  let last = now();
  let since = Date.now();
  while (Date.now() < until && Date.now() - since < QUIET_MILLIS) {
    await new Promise((done) => setTimeout(done, 20));
    if (now() === last) continue;
    last = now();
    since = Date.now();
  }
}

/** Moves lines without a fixed position to the end. */
function settle(lines: string[], racy: RegExp): string[] {
  return [...lines.filter((line) => !racy.test(line)), ...lines.filter((line) => racy.test(line)).sort()];
}

function several(captured: Captured | Captured[]): Captured[] {
  return Array.isArray(captured[0]) ? (captured as Captured[]) : [captured as Captured];
}

/** Any log line whose text contains `search`. */
export const logged = (search: string): Captured => ['get_browser_logs', { search }, ({ total }) => total > 0];
/** Any request whose address contains `url`. */
export const requested = (url: string): Captured => ['get_network_bodies', { url }, ({ total }) => total > 0];
/** Any connection whose address contains `url`. */
export const connected = (url: string): Captured => ['get_websocket_events', { url }, ({ total }) => total > 0];

/** A package's folder, wherever npm installed it. */
export function packageFolder(name: string): string {
  for (let at = import.meta.dirname; at !== dirname(at); at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(folder)) return folder;
  }
  throw new Error(`${name} is not installed`);
}

/** Serves a file of a package. */
export function fromPackage(name: string, path: string, headers: Record<string, string> = {}): Route {
  return async (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/javascript', ...headers });
    response.end(await readFile(join(packageFolder(name), path)));
  };
}

const bundles = new Map<string, string>();
/** Serves packages that have no script for browsers: bundles the imports of `source`. */
export function bundled(source: string): Route {
  return (_, response) => {
    let text = bundles.get(source);
    if (text === undefined) {
      const stdin = { contents: source, resolveDir: import.meta.dirname };
      text =
        buildSync({ stdin, bundle: true, write: false, format: 'iife', logLevel: 'error' }).outputFiles[0]?.text ?? '';
      bundles.set(source, text);
    }
    response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(text);
  };
}

/** Serves a page that is written in the test. */
export function html(body: string, headers: Record<string, string> = {}): Route {
  // With an icon, where that is allowed: otherwise the browser requests one at any time.
  const icon = Object.keys(headers).length === 0 ? '<link rel="icon" href="data:,">' : '';
  const head = `<meta charset="utf-8">${icon}<title>page</title>`;
  const text = `<!doctype html>${head}<body>${body}</body>`;
  return (_, response) =>
    void response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(text);
}

/**
 * A page that runs one function and keeps its result. Its own script writes a line, so that there is something to
 * capture.
 */
export function script(work: () => unknown, before = ''): Route {
  return html(`${before}<script>
    console.log('the page began');
    window.result = (${work.toString()})();
  </script>`);
}

/** The result of the function in `script`. */
export function result(page: Page): Promise<unknown> {
  return page.evaluate(() => (window as unknown as { result: unknown }).result);
}
