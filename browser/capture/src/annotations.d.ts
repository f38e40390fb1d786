import type { Core } from './core';
import type { Witness } from './evidence';
/** Not listed with the others. */
export declare const RECALL = "recall";
export interface PageApi {
    readonly version: string;
    /** Attaches a value to every error from now on. False when there are too many. */
    annotate(key: string, value: unknown): boolean;
    removeAnnotation(key: string): boolean;
    clearAnnotations(): void;
    getAnnotations(): Record<string, unknown>;
}
export interface Annotations {
    current(): Record<string, unknown> | undefined;
    api: PageApi;
}
/** `recall`: for our own script that works out what an error means. A page that calls it gets its own objects. */
export declare function createAnnotations(core: Core, version: string, recall: Witness['recall']): Annotations;
