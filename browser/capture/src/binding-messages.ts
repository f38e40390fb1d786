// The messages that a page and the test runner exchange over the runner's function.

/** Sent by the page, as JSON. */
export type FromPage = { pageId: string; events: string[] } | { pageId: string; ask: true; done?: number };
/** The runner's reply. */
export type Order = { flush: number };
