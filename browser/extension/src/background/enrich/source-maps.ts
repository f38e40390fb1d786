// Brings the server the source maps that it asks for: it has the stack, but nothing of it leaves this machine.

import { SOURCE_MAP_BYTES, SOURCE_MAPS_WANTED } from '../../../../capture/src/limits.gen';
import type { DebugLog } from '../debug-log';
import type { Server } from '../server';
import { isWebAddress } from './frames';
import { type Fetched, type ScriptTexts, Unavailable } from './script-texts';
import { decodeDataUrl, findSourceMappingUrl } from './source-mapping-url';

/** Scripts whose page is remembered. */
const PAGES = 500;

/** The document that ran a script. */
export interface Page {
  id: string;
  url: string;
}

export interface Terms {
  server(): Server;
  texts: ScriptTexts;
  log: DebugLog;
  /** Whether source code is wanted at all, and of this page. */
  allowed(page: Page): boolean;
}

export class SourceMaps {
  private readonly pages = new Map<string, Page>();

  constructor(private readonly terms: Terms) {}

  /** An error's stack names these scripts. */
  remember(scripts: string[], page: Page): void {
    for (const script of scripts) {
      this.pages.delete(script);
      this.pages.set(script, page);
      for (const oldest of this.pages.keys()) if (this.pages.size > PAGES) this.pages.delete(oldest);
    }
  }

  /** Resolves when the server has each of them, or knows why not. */
  async bring(wanted: string[]): Promise<void> {
    const addresses = [...new Set(wanted)].slice(0, SOURCE_MAPS_WANTED);
    await Promise.all(addresses.map((url) => this.bringOne(url)));
  }

  private async bringOne(url: string): Promise<void> {
    const page = this.pages.get(url);
    // The user switched it off: nothing is fetched, and nothing said.
    if (page && !this.terms.allowed(page)) return;
    const found = page ? await this.find(url, page) : { missing: 'the page it belongs to is not known any more' };
    try {
      const body = JSON.stringify({ url, ...found });
      const response = await this.terms.server().withToken('/source-maps', { method: 'POST', body });
      if (!response.ok) this.terms.log.add('warn', 'a source map was refused', { url, status: response.status });
    } catch (error) {
      this.terms.log.add('warn', 'a source map was not delivered', { url, error: String(error) });
    }
  }

  private async find(url: string, page: Page): Promise<{ map: string; map_url?: string } | { missing: string }> {
    if (!isWebAddress(url)) return { missing: 'it has no address on the web' };
    try {
      return await this.mapOf(await this.terms.texts.get(url, page.id, page.url), url, page);
    } catch (error) {
      return { missing: error instanceof Unavailable ? error.message : 'it could not be read' };
    }
  }

  private async mapOf(script: Fetched, url: string, page: Page): Promise<{ map: string; map_url?: string }> {
    const reference = findSourceMappingUrl(script.text) ?? script.mapHeader;
    if (reference === undefined) throw new Unavailable('the script names no source map');
    if (reference.startsWith('data:')) {
      const map = decodeDataUrl(reference);
      if (map === undefined) throw new Unavailable('its inline source map can not be decoded');
      if (map.length > SOURCE_MAP_BYTES)
        throw new Unavailable(`its source map is larger than ${SOURCE_MAP_BYTES / 1_048_576} MB`);
      return { map };
    }
    const address = URL.canParse(reference, script.url) ? new URL(reference, script.url).href : '';
    if (!isWebAddress(address)) throw new Unavailable('its source map has no address on the web');
    const map = await this.terms.texts.fetchMap(address, url, page.url, script.signal, SOURCE_MAP_BYTES);
    return { map, map_url: address };
  }
}
