export interface Batch {
    /** One JSON text per event. */
    events: string[];
    /** Events that were lost in the page since the last batch. */
    dropped: number;
    /** Bytes that still wait in the page. */
    held: number;
    /** An error is in it. */
    urgent: boolean;
    /** When debugging: how often we ran on the page's time since the last batch, and for how long. */
    intercepts?: {
        count: number;
        millis: number;
    };
}
export interface Transport {
    /** May come before the settings are known, when the page goes away at once: then nobody judged what is in it. */
    send(batch: Batch): void;
    /** An error waits for the settings. */
    hurry?(): void;
}
