import type { Core } from './core';
export type HeaderList = Array<readonly [string, string]>;
/** What is noted when a request is made. */
interface Start {
    id: string;
    initiator: 'fetch' | 'xhr';
    started: number;
    startedAt: number;
    /** Who asked; written out when the page is idle. */
    asked: Error;
    /** The user's event that is being handled. */
    trigger: string | undefined;
}
export interface RequestRecord extends Start {
    method: string;
    url: string;
    headers: HeaderList;
    /** Filled in when the page is idle, and only where bodies are captured. */
    body: () => BodyText | Promise<BodyText>;
}
export interface BodyText {
    text?: string;
    size?: number;
    truncated?: boolean;
}
export interface Outcome {
    /** 0: no answer came. Left out where the browser does not tell. */
    status?: number;
    statusText?: string;
    headers: HeaderList;
    error?: string;
    /** May take its time; the rest is told when it is there. */
    body?: BodyText | Promise<BodyText>;
}
export declare function isBinary(contentType: string): boolean;
export declare function isStream(contentType: string): boolean;
export declare function contentTypeOf(headers: HeaderList): string;
export declare function contentLengthOf(headers: HeaderList): number | undefined;
/** Our own server is not part of the page. */
export declare function isOurs(core: Core, url: string): boolean;
export declare function absolute(url: string): string;
export declare function begin(core: Core, initiator: Start['initiator']): Start;
export declare function wantsBody(core: Core, status: number | undefined): boolean;
/** Tells of an answer: at once when it is a failure, and in full when the page is idle. */
export declare function report(core: Core, request: RequestRecord, outcome: Outcome): void;
export declare function binaryText(size: number | undefined, contentType: string): string;
/** A request's body as text, whatever the page gave. Files and binary data are named, not read. */
export declare function describeBody(body: unknown): BodyText | Promise<BodyText>;
export {};
