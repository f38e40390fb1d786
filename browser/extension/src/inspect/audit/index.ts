// The accessibility audit of one frame, and in the top frame also the report on all frames.

import type { CrossTreeSelector, FrameContextObject, PartialResult, RunOptions } from 'axe-core';
import type { AuditReport } from 'gasoline-capture/wire.gen';
import { type Outcome, outcomeOf } from '../outcome';
import { UniqueSelectors } from '../unique-selector';
import { type Axe, quietAxe } from './axe';
import { framePath, hasFrames, pathInside } from './frames';
import { reportOf } from './report';
import { type AuditParams, contextFor, optionsFor } from './scope';
import { readableTarget, Specs } from './specs';

/** A frame inside this one, and the part of it that is in scope. */
export interface InnerFrame {
  path: string | null;
  context: FrameContextObject;
}

export interface FrameAudit {
  frames: InnerFrame[];
  partial: PartialResult;
}

export function auditFunctions(axe: Axe) {
  /** The top frame's own results stay here: they are large, and used nowhere else. */
  let kept: PartialResult | undefined;
  /** axe runs one audit at a time; one that was abandoned may still be running. */
  let line: Promise<unknown> = Promise.resolve();
  function inLine<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = line.then(work);
    line = done.catch(() => {});
    return done;
  }

  async function audit(context: FrameContextObject | ReturnType<typeof contextFor>, options: RunOptions) {
    const own = framePath() ?? '';
    const contexts = hasFrames() ? axe.utils.getFrameContexts(context, options) : [];
    const frames = contexts.map(({ frameSelector, frameContext }) => {
      const element = axe.utils.shadowSelect(frameSelector) as HTMLIFrameElement | null;
      return { path: element && pathInside(own, element), context: frameContext };
    });
    const specs = new Specs(axe);
    try {
      const partial = await axe.runPartial(context, options);
      specs.finish(partial);
      return { frames, partial };
    } catch (error) {
      throw new Error(`axe could not audit this page: ${error instanceof Error ? error.message : error}`);
    } finally {
      specs.release();
    }
  }

  return {
    framePath,
    /** First, in the top frame: returns the frames that come next. */
    start: (params: AuditParams): Promise<{ frames: InnerFrame[] }> =>
      inLine(async () => {
        const { frames, partial } = await audit(contextFor(params.scope), optionsFor(axe, params));
        kept = partial;
        return { frames };
      }),
    /** Then in each frame inside, depth first. */
    runFrame: (context: FrameContextObject, params: AuditParams): Promise<FrameAudit> =>
      inLine(() => audit(context, optionsFor(axe, params))),
    /** Finally in the top frame again. `null` stands for a frame that did not answer. */
    finish: (inner: (PartialResult | null)[], params: AuditParams): Promise<AuditReport> =>
      inLine(async () => {
        if (!kept) throw new Error('The page was loaded again while it was audited.');
        const results = await axe.finishRun([kept, ...inner], optionsFor(axe, params));
        kept = undefined;
        const selectors = new UniqueSelectors();
        const readable = (target: CrossTreeSelector[]) => readableTarget(axe, target, selectors);
        return reportOf(results, params.include_passes === true, readable);
      }),
  };
}

export type AuditFunctions = ReturnType<typeof auditFunctions>;
export type AuditFunctionName = keyof AuditFunctions;

const functions = auditFunctions(quietAxe());

/** Returns errors as values, because Chrome drops errors of injected functions. */
function call(name: AuditFunctionName, ...args: unknown[]): Promise<Outcome<unknown>> {
  return outcomeOf(() => (functions[name] as (...args: unknown[]) => unknown)(...args));
}

Object.assign(globalThis, { gasolineAudit: { ...functions, call } });
