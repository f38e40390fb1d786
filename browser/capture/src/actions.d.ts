import type { CaptureEvent, Core } from './core';
type ActionEvent = Extract<CaptureEvent, {
    type: 'action';
}>;
export interface Actions {
    /** The latest ones, newest last. */
    recent: ActionEvent[];
    /** What the last one was done to, and when. */
    target(): [Element | undefined, number];
    /** Listens again after `document.open` took the listeners away. */
    listen(): void;
}
export declare function installActions(core: Core): Actions;
export {};
