import type { CaptureEvent, Core } from './core';
export type Direction = 'incoming' | 'outgoing';
export type Payload = string | Blob | ArrayBufferLike | ArrayBufferView;
type SocketEvent = Extract<CaptureEvent, {
    type: 'websocket';
}>;
export declare class Connection {
    #private;
    readonly id: string;
    constructor(core: Core, url: string);
    lifecycle(event: 'connecting' | 'open' | 'close' | 'error', fields?: Partial<SocketEvent>): void;
    /** The hot path: counters and one decision. Everything else waits until the page is idle. */
    message(direction: Direction, data: Payload): void;
}
export declare function binaryPreview(start: Uint8Array, size: number): string;
export {};
