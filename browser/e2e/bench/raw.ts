// A browser that nobody debugs: a debugger makes console calls and requests many times slower, and our part of them
// with it. The page asks the site what to measure next and posts what it found.

import type { ServerResponse } from 'node:http';
import { openRaw } from '../support/chromium';
import { json, type Site } from '../support/site';

/** Runs in the page: waits for the name of a measurement, runs it, posts its result. */
const PAGE = (
  measurements: string,
  head: string,
) => `<!doctype html><title>Bench</title>${head}<h1>Bench</h1><script type="module">
  const measurements = ${measurements};
  const who = new URL(location.href).searchParams.get('who');
  addEventListener('load', async () => {
    await new Promise((done) => setTimeout(done, 500));
    for (;;) {
      const { name } = await (await fetch('/next?who=' + who)).json();
      const value = await measurements[name]().catch((error) => String(error));
      await fetch('/result?who=' + who, { method: 'POST', body: JSON.stringify(value) });
    }
  });
</script>`;

export class RawBrowser {
  readonly close: () => void;
  private waiting: ServerResponse | undefined;
  private wanted: string | undefined;
  private done: ((value: never) => void) | undefined;

  constructor(site: Site, who: string, extension?: string, path = '/bench') {
    handlers.set(who, this);
    this.close = openRaw(site.url(`${path}?who=${who}`), ...(extension ? [extension] : []));
  }

  measure<T = number>(name: string): Promise<T> {
    return new Promise((done) => {
      this.done = done as never;
      this.wanted = name;
      this.answer();
    });
  }

  asks(response: ServerResponse): void {
    this.waiting = response;
    this.answer();
  }

  tells(value: never): void {
    this.done?.(value);
  }

  private answer(): void {
    if (!this.waiting || this.wanted === undefined) return;
    json(this.waiting, { name: this.wanted });
    this.waiting = undefined;
    this.wanted = undefined;
  }
}

const handlers = new Map<string, RawBrowser>();

/**
 * `measurements`: an object of async functions, as source text, and the headers of the page that runs them. The page at
 * `/bench-with-head` begins with `head`.
 */
export function serveBench(site: Site, measurements: string, headers: Record<string, string>, head = ''): void {
  const who = (url: string | undefined) => handlers.get(new URL(url ?? '/', 'http://x').searchParams.get('who') ?? '');
  for (const [path, first] of [
    ['/bench', ''],
    ['/bench-with-head', head],
  ] as const) {
    site.routes.set(path, (_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end(PAGE(measurements, first)),
    );
  }
  site.routes.set('/next', ({ url }, response) => who(url)?.asks(response));
  site.routes.set('/result', ({ url }, response, body) => {
    json(response, {});
    who(url)?.tells(JSON.parse(body) as never);
  });
}
