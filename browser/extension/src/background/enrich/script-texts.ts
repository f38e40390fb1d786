// Fetches the texts of scripts from where the page loaded them. Texts are kept for a few seconds, because the source
// map and the search for the component both need them.

import {
  SCRIPT_TEXTS_BYTES,
  SOURCE_MAP_BYTES,
  SOURCE_MAP_FETCHES,
  SOURCE_MAP_MILLIS,
} from 'gasoline-capture/limits.gen';

const KEEP_MILLIS = 10_000;

export interface Fetched {
  text: string;
  /** The final address, after redirects. */
  url: string;
  /** The source map that a response header names. */
  mapHeader: string | undefined;
  /** Milliseconds that remain for this file. */
  left: number;
}

interface Kept {
  /** When it was fetched, and for one page only: the same address may have other code for the next page. */
  at: number;
  page: string;
  bytes: number;
  fetched: Promise<Fetched>;
}

/** Says in a sentence for people why there is no text. */
export class Unavailable extends Error {}

export class ScriptTexts {
  private readonly kept = new Map<string, Kept>();
  private running = 0;
  private readonly turns: Array<() => void> = [];

  constructor(private readonly ownServer: () => string) {}

  /** `page`: the document that ran the script; `pageUrl`: its address. */
  get(url: string, page: string, pageUrl: string): Promise<Fetched> {
    this.tidy();
    const key = `${page} ${url}`;
    const known = this.kept.get(key);
    if (known) return known.fetched;
    const entry: Kept = { at: Date.now(), page, bytes: 0, fetched: this.inTurn(() => this.fetchScript(url, pageUrl)) };
    this.kept.set(key, entry);
    entry.fetched.then(
      ({ text }) => {
        entry.bytes = text.length;
        this.tidy();
      },
      () => {},
    );
    setTimeout(() => this.tidy(), KEEP_MILLIS + 100);
    return entry.fetched;
  }

  /** `left`: what remains of the time that the script and its map share. */
  fetchMap(url: string, script: string, pageUrl: string, left: number, most: number): Promise<string> {
    return this.inTurn(() => this.fetchText(url, script, pageUrl, AbortSignal.timeout(Math.max(left, 0)), most));
  }

  private async fetchText(
    url: string,
    script: string,
    pageUrl: string,
    signal: AbortSignal,
    most: number,
  ): Promise<string> {
    if (new URL(url).origin !== new URL(script).origin) throw new Unavailable('its source map is on another origin');
    const response = await this.request(url, pageUrl, signal);
    if (!response.ok) throw new Unavailable(`its source map answered ${response.status}`);
    if (new URL(response.url).origin !== new URL(script).origin) {
      throw new Unavailable('its source map is on another origin');
    }
    return readText(response, most, 'its source map');
  }

  private async fetchScript(url: string, pageUrl: string): Promise<Fetched> {
    const began = Date.now();
    const signal = AbortSignal.timeout(SOURCE_MAP_MILLIS);
    const response = await this.request(url, pageUrl, signal);
    if (!response.ok) throw new Unavailable(`the script answered ${response.status}`);
    const text = await readText(response, SOURCE_MAP_BYTES, 'the script');
    const mapHeader = response.headers.get('SourceMap') ?? response.headers.get('X-SourceMap') ?? undefined;
    return { text, url: response.url, mapHeader, left: SOURCE_MAP_MILLIS - (Date.now() - began) };
  }

  /**
   * Requests to the page's own origin carry its cookies, as when the page loaded the script: development servers may
   * require a login. Other origins get no cookies.
   */
  private async request(url: string, pageUrl: string, signal: AbortSignal): Promise<Response> {
    if (isSameServer(url, this.ownServer())) throw new Unavailable('it is a script of Gasoline itself');
    const credentials = new URL(url).origin === originOf(pageUrl) ? 'include' : 'omit';
    try {
      return await fetch(url, { credentials, signal });
    } catch (error) {
      throw new Unavailable(reasonOf(error));
    }
  }

  /** Few at a time: the page's server has other work. */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= SOURCE_MAP_FETCHES) await new Promise<void>((turn) => this.turns.push(turn));
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.turns.shift();
      if (next) next();
      else this.running--;
    }
  }

  private tidy(): void {
    let bytes = 0;
    for (const entry of this.kept.values()) bytes += entry.bytes;
    for (const [key, entry] of this.kept) {
      if (Date.now() - entry.at < KEEP_MILLIS && bytes <= SCRIPT_TEXTS_BYTES) continue;
      bytes -= entry.bytes;
      this.kept.delete(key);
    }
  }
}

/** Stops reading beyond `most` bytes. */
async function readText(response: Response, most: number, what: string): Promise<string> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = '';
  let bytes = 0;
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      bytes += part.value.length;
      if (bytes > most) {
        void reader?.cancel().catch(() => {});
        throw new Unavailable(`${what} is larger than ${most / 1_048_576} MB`);
      }
      text += decoder.decode(part.value, { stream: true });
    }
  } catch (error) {
    throw error instanceof Unavailable ? error : new Unavailable(reasonOf(error));
  }
  return text + decoder.decode();
}

function reasonOf(error: unknown): string {
  return error instanceof Error && error.name === 'TimeoutError'
    ? `it took longer than ${SOURCE_MAP_MILLIS / 1_000} s`
    : 'it could not be fetched';
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : '';
}

/** True for every host name that stands for this machine. */
export function isSameServer(url: string, server: string): boolean {
  const [one, other] = [new URL(url), new URL(server)];
  return isLoopback(one.hostname) && isLoopback(other.hostname) && (one.port || '80') === (other.port || '80');
}

function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}
