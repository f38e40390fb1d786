// What a page and the test runner that watches it say to each other over the runner's function.

/** What the page says, as JSON. */
export type FromPage = { pageId: string; events: string[] } | { pageId: string; ask: true; done?: number };
/** What the runner answers. */
export type Order = { flush: number };
