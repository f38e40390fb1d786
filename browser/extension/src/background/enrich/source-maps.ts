// Uploads the source maps that the server asks for. The server has the stack, but it makes no requests itself.

import { isWebAddress } from 'gasoline-capture/components/frames';
import { SOURCE_MAP_BYTES, SOURCE_MAPS_WANTED } from 'gasoline-capture/limits.gen';
import { decodeDataUrl, findSourceMappingUrl, isWrittenByHand } from 'gasoline-capture/source-mapping-url';
import type { SourceMapUpload } from 'gasoline-capture/wire.gen';
import type { DebugLog } from '../debug-log';
import type { Server } from '../server';
import { type Fetched, type ScriptTexts, Unavailable } from './script-texts';
import { isWebpackModule, mapOfModule, scriptsOf } from './webpack-modules';

/** How many scripts are remembered with their pages. */
const PAGES = 500;

/** The document that ran a script. */
export interface Page {
  tabId: number;
  id: string;
  /** Its id in captured entries. */
  pageId: string;
  url: string;
}

type Found = { map: string; map_url?: string } | { script: string };

export interface Terms {
  server(): Server;
  texts: ScriptTexts;
  log: DebugLog;
  /** Whether source code may be read at all, and on this page. */
  allowed(page: Page): boolean;
}

export class SourceMaps {
  private readonly pages = new Map<string, Page>();

  constructor(private readonly terms: Terms) {}

  /** Remembers the page whose error has these scripts in its stack. */
  remember(scripts: string[], page: Page): void {
    for (const script of scripts) {
      this.pages.delete(script);
      this.pages.set(script, page);
      for (const oldest of this.pages.keys()) if (this.pages.size > PAGES) this.pages.delete(oldest);
    }
  }

  /** Resolves when the server has each map, or knows why it is missing. */
  async bring(wanted: string[]): Promise<void> {
    const addresses = [...new Set(wanted)].slice(0, SOURCE_MAPS_WANTED);
    await Promise.all(addresses.map((url) => this.bringOne(url)));
  }

  private async bringOne(url: string): Promise<void> {
    const page = this.pages.get(url);
    // The user switched it off: fetch nothing and report nothing.
    if (page && !this.terms.allowed(page)) return;
    const found = page ? await this.find(url, page) : { missing: 'the page of this script is no longer known' };
    const of = page && { page_id: page.pageId };
    const refusal = await this.post({ url, ...found, ...of });
    // The server waits for an answer, and would ask again.
    if (refusal !== undefined && !('missing' in found)) await this.post({ url, missing: refusal, ...of });
  }

  /** Returns the reason if the server rejected it. */
  private async post(upload: SourceMapUpload): Promise<string | undefined> {
    try {
      const body = JSON.stringify(upload);
      const response = await this.terms.server().withToken('/source-maps', { method: 'POST', body });
      if (response.ok) return undefined;
      this.terms.log.add('warn', 'a source map was refused', { url: upload.url, status: response.status });
      return response.status === 413 ? 'its source map is too large' : 'its source map cannot be read';
    } catch (error) {
      this.terms.log.add('warn', 'a source map was not delivered', { url: upload.url, error: String(error) });
      return undefined;
    }
  }

  private async find(url: string, page: Page): Promise<Found | { missing: string }> {
    if (isWebpackModule(url)) return this.findModule(url, page);
    if (!isWebAddress(url)) return { missing: 'it has no address on the web' };
    // Requesting a page again may have side effects.
    if (withoutHash(url) === withoutHash(page.url)) return { missing: 'the code is in the page itself' };
    try {
      return await this.mapOf(await this.terms.texts.get(url, page.id, page.url), url, page);
    } catch (error) {
      return { missing: error instanceof Unavailable ? error.message : 'it could not be read' };
    }
  }

  private async findModule(url: string, page: Page): Promise<Found | { missing: string }> {
    for (const script of await scriptsOf(page).catch(() => [])) {
      if (!isWebAddress(script)) continue;
      const text = await this.terms.texts.get(script, page.id, page.url).catch(() => undefined);
      const map = text && mapOfModule(text.text, url);
      if (map) return { map };
    }
    return { missing: 'no script of the page has a source map for this module' };
  }

  private async mapOf(script: Fetched, url: string, page: Page): Promise<Found> {
    const reference = findSourceMappingUrl(script.text) ?? script.mapHeader;
    if (reference === undefined) {
      if (isWrittenByHand(script.text)) return { script: script.text };
      throw new Unavailable('the script names no source map');
    }
    if (reference.startsWith('data:')) {
      const map = decodeDataUrl(reference);
      if (map === undefined) throw new Unavailable('its inline source map cannot be decoded');
      if (map.length > SOURCE_MAP_BYTES)
        throw new Unavailable(`its source map is larger than ${SOURCE_MAP_BYTES / 1_048_576} MB`);
      return { map };
    }
    const address = URL.canParse(reference, script.url) ? new URL(reference, script.url).href : '';
    if (!isWebAddress(address)) throw new Unavailable('its source map has no address on the web');
    const map = await this.terms.texts.fetchMap(address, url, page.url, script.left, SOURCE_MAP_BYTES);
    return { map, map_url: address };
  }
}

function withoutHash(address: string): string {
  return address.replace(/#.*$/, '');
}
