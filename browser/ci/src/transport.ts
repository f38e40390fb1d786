import type { Transport } from 'gasoline-capture/index';
import { stringify } from 'gasoline-capture/natives';

/** A way out of the page, as this script needs it. */
export interface PageTransport extends Transport {
  /** The page's name is known. */
  named(pageId: string): void;
  /** The page is going away: what is left has to go now. */
  leave(): void;
}

/** What a page lost is told, or its reader would take silence for peace. */
export function lossEntry(dropped: number, now: number, url: string): string {
  return stringify({
    type: 'console',
    level: 'warn',
    source: 'gasoline',
    ts: now,
    url,
    message: `[gasoline] ${dropped} events of this page were lost: its queue was full, or the server could not take them`,
  });
}
