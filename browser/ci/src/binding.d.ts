import type { Capture } from '../../capture/src/index';
import type { Binding } from './config';
import { type Way } from './way';
/** What the page says, as JSON. */
export type FromPage = {
    pageId: string;
    events: string[];
} | {
    pageId: string;
    ask: true;
    done?: number;
};
/** What the runner answers. */
export type Order = {
    flush: number;
};
export declare function bindingTransport(binding: Binding, capture: () => Capture | undefined): Way;
