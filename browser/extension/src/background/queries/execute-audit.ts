// Calls the functions that were injected into a tab. Chrome drops errors of injected functions, so each returns an
// outcome.

import type { Outcome } from '../../inspect/outcome';
import type { Execute, FrameOutcome } from './audit';

const AUDIT_FILES = ['axe.min.js', 'audit.js'];

export const executeAudit: Execute = async (tabId, frames, functionName, args) => {
  if (frames === 'all') await injectWhereMissing(tabId);
  const target = frames === 'all' ? { tabId, allFrames: true } : { tabId, frameIds: frames };
  const results = await chrome.scripting.executeScript({
    target,
    injectImmediately: true,
    args: [functionName, args],
    func: (name: string, args: unknown[]) => {
      type Audit = { call(name: string, ...args: unknown[]): Promise<Outcome<unknown>> };
      return (globalThis as unknown as { gasolineAudit: Audit }).gasolineAudit.call(name, ...args);
    },
  });
  return results.map(({ frameId, result }): FrameOutcome => ({ frameId, outcome: result ?? undefined }));
};

/** axe is large, so a frame that has it does not get it again. */
async function injectWhereMissing(tabId: number): Promise<void> {
  const frames = await chrome.scripting.executeScript({
    target: { tabId, allFrames: true },
    injectImmediately: true,
    // `hasOwn`, because an element with this id would also be a property of `globalThis`.
    func: () => Object.hasOwn(globalThis, 'gasolineAudit'),
  });
  const frameIds = frames.filter(({ result }) => !result).map(({ frameId }) => frameId);
  if (frameIds.length === 0) return;
  await chrome.scripting.executeScript({ target: { tabId, frameIds }, injectImmediately: true, files: AUDIT_FILES });
}
