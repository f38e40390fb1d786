import type { Transport } from 'gasoline-capture/index';
import { stringify } from 'gasoline-capture/natives';

/** The interface of a transport, as this script needs it. */
export interface PageTransport extends Transport {
  /** Called when the page's id is known. */
  named(pageId: string): void;
  /** The page is unloading: the remaining events have to be sent now. */
  leave(): void;
}

/** Reports lost events; otherwise a reader would take missing errors for success. */
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
