// Finds the source maps that the server asks for, through their scripts, as the browser's own tools do. The page's own
// address is never requested again, because such a request may have side effects.

import { SOURCE_MAP_BYTES, SOURCE_MAP_MILLIS, SOURCE_MAPS_WANTED } from './limits.gen';
import { decodeDataUrl, findSourceMappingUrl, isWrittenByHand } from './source-mapping-url';
import type { SourceMapUpload } from './wire.gen';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface MapBringer {
  /** `pageUrl`: the page that runs these scripts. */
  bring(scripts: string[], pageUrl?: string): Promise<void>;
}

/** Says in a sentence for people why there is no map. */
class Missing extends Error {}

/** `patience`: milliseconds for a script and its map together. */
export function createMapBringer(
  fetch: Fetch,
  post: (upload: SourceMapUpload) => unknown,
  patience = SOURCE_MAP_MILLIS,
): MapBringer {
  /** Maps that are being fetched. A request for a map that the server already has comes from a later page load. */
  const coming = new Set<string>();
  const here = () => (typeof location === 'undefined' ? '' : location.href);
  return {
    async bring(scripts, pageUrl = here()) {
      const fresh = [...new Set(scripts)].filter((url) => !coming.has(url)).slice(0, SOURCE_MAPS_WANTED);
      await Promise.all(
        fresh.map(async (url) => {
          coming.add(url);
          const found = await findMap(fetch, url, pageUrl, patience);
          coming.delete(url);
          await post({ url, ...found });
        }),
      );
    },
  };
}

type Found = Pick<SourceMapUpload, 'map' | 'map_url' | 'script' | 'missing'>;

async function findMap(fetch: Fetch, url: string, pageUrl: string, patience: number): Promise<Found> {
  try {
    if (!/^https?:/.test(url)) throw new Missing('it has no address on the web');
    if (withoutHash(url) === withoutHash(pageUrl)) throw new Missing('the code is in the page itself');
    const signal = AbortSignal.timeout(patience);
    const script = await load(fetch, url, signal, 'the script');
    const reference = findSourceMappingUrl(script.text) ?? script.mapHeader;
    if (reference === null || reference === undefined) {
      if (isWrittenByHand(script.text)) return { script: script.text };
      throw new Missing('the script names no source map');
    }
    if (reference.startsWith('data:')) {
      const map = decodeDataUrl(reference);
      if (map === undefined) throw new Missing('its inline source map cannot be decoded');
      return { map };
    }
    const address = URL.canParse(reference, url) ? new URL(reference, url) : undefined;
    if (address?.origin !== new URL(url).origin) throw new Missing('its source map is on another origin');
    return { map: (await load(fetch, address.href, signal, 'its source map')).text, map_url: address.href };
  } catch (error) {
    return { missing: error instanceof Missing ? error.message : 'it could not be fetched' };
  }
}

async function load(
  fetch: Fetch,
  url: string,
  signal: AbortSignal,
  what: string,
): Promise<{ text: string; mapHeader: string | null }> {
  const response = await fetch(url, { signal, credentials: 'same-origin' });
  if (!response.ok) throw new Missing(`${what} answered ${response.status}`);
  const text = await response.text();
  if (text.length > SOURCE_MAP_BYTES) throw new Missing(`${what} is larger than ${SOURCE_MAP_BYTES / 1_048_576} MB`);
  return { text, mapHeader: response.headers.get('SourceMap') ?? response.headers.get('X-SourceMap') };
}

function withoutHash(address: string): string {
  return address.replace(/#.*$/, '');
}
