// The extension must stay small: above 20 MB less may wait here, above 50 MB no bodies are captured.

import { EXTENSION_HARD_MB, EXTENSION_SOFT_MB } from '../../../capture/src/limits.gen';

export type MemoryState = 'normal' | 'soft' | 'hard';

/** The queue is counted twice: as it is here, and as session storage keeps it. */
export function usedMegabytes(queueBytes: number): number {
  const heap = (performance as { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0;
  return Math.max(heap + queueBytes, queueBytes * 2) / 1_048_576;
}

export function judgeMemory(megabytes: number): MemoryState {
  if (megabytes > EXTENSION_HARD_MB) return 'hard';
  return megabytes > EXTENSION_SOFT_MB ? 'soft' : 'normal';
}
