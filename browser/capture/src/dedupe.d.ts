import type { CaptureEvent } from './core';
/** Fills in an event's last details. */
type Finish = (() => void) | undefined;
export declare class Dedupe {
    #private;
    constructor(again: (event: CaptureEvent, finish: Finish) => void);
    /** Whether to send it now. A repeat is held back; how many there were follows as one entry. */
    isFirst(event: CaptureEvent, finish?: () => void): boolean;
    /** Sends what is held back. */
    flush(): void;
}
export {};
