import type { Core } from './core';
import type { RequestRecord } from './request';
export interface Followed {
    connection: string;
    /** The page gave the response up. */
    end(): void;
}
export declare function followStream(core: Core, request: RequestRecord, stream: ReadableStream<Uint8Array>): Followed;
