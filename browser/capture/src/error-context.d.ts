import type { CaptureEvent, Core } from './core';
type LogEvent = Extract<CaptureEvent, {
    type: 'console' | 'error';
}>;
export declare function withErrorContext<E extends LogEvent>(core: Core, event: E): E;
export {};
