import type { CaptureEvent } from './core';
export interface Drained {
    /** One JSON text per event. */
    events: string[];
    dropped: number;
    /** Time was up before everything was written. */
    more: boolean;
}
export declare class Queue {
    #private;
    /** Bytes that wait here. */
    get held(): number;
    get size(): number;
    /** `share`: how much of the usual room there is. */
    push(event: CaptureEvent, share: number, finish?: () => void): void;
    /** Writes events as text until `budget` milliseconds are over. */
    drain(budget: number, wanted: (event: CaptureEvent) => boolean): Drained;
}
