import type { CaptureSettings } from './core';
export declare function isWanted(event: {
    type: string;
    level?: string | null | undefined;
}, settings: Pick<CaptureSettings, 'console' | 'level' | 'webSockets' | 'actions'>): boolean;
