import { type CaptureSettings, type Host } from './core';
import type { Transport } from './transport';
export type { CaptureEvent, CaptureSettings } from './core';
export type { Batch, Transport } from './transport';
export interface Capture {
    readonly pageId: string;
    /** The first call also says that batches may leave; until then they wait, unless the page goes away. */
    configure(settings: Partial<CaptureSettings>): void;
    flush(): void;
    /** Puts the page's own functions back and ends. */
    stop(): void;
}
/** `more`: further kinds that the embedding script wants in the page's world. */
export declare function startCapture(transport: Transport, version: string, initial?: Partial<CaptureSettings>, more?: Array<(host: Host) => void>): Capture;
