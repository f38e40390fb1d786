import type { SourceMapUpload } from '../../capture/src/wire.gen';
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
export interface MapBringer {
    /** `pageUrl`: the page that runs these scripts. */
    bring(scripts: string[], pageUrl?: string): Promise<void>;
}
export declare function createMapBringer(fetch: Fetch, post: (upload: SourceMapUpload) => unknown): MapBringer;
