// An accessibility audit of a tab, frame by frame. The frames do not send messages to each other, because the page
// would see them.

import type { PartialResult } from 'axe-core';
import type { AuditReport } from 'gasoline-capture/wire.gen';
import type { AuditFunctionName, FrameAudit, InnerFrame } from '../../inspect/audit';
import type { AuditParams } from '../../inspect/audit/scope';
import { namedError } from '../../inspect/named-error';
import type { Outcome } from '../../inspect/outcome';
import { before } from '../deadline';

const LIMIT_MILLIS = 15_000;
const TOP = 0;

export interface FrameOutcome {
  frameId: number;
  outcome: Outcome<unknown> | undefined;
}

/**
 * Calls a function of the audit in frames of a tab. With `all`, the function is first injected into frames that lack
 * it.
 */
export type Execute = (
  tabId: number,
  frames: number[] | 'all',
  functionName: AuditFunctionName,
  args: unknown[],
) => Promise<FrameOutcome[]>;

/** One audit at a time in each tab. */
const running = new Map<number, Promise<unknown>>();

export async function runAudit(
  tabId: number,
  params: AuditParams,
  execute: Execute,
  limitMillis = LIMIT_MILLIS,
): Promise<AuditReport> {
  const earlier = running.get(tabId);
  const done = (async () => {
    await earlier?.catch(() => {});
    return auditOnce(tabId, params, execute, limitMillis);
  })();
  running.set(tabId, done);
  try {
    return await done;
  } finally {
    if (running.get(tabId) === done) running.delete(tabId);
  }
}

async function auditOnce(
  tabId: number,
  params: AuditParams,
  execute: Execute,
  limitMillis: number,
): Promise<AuditReport> {
  const deadline = Date.now() + limitMillis;
  let audited = 0;
  const call = (frames: number[] | 'all', name: AuditFunctionName, args: unknown[]) =>
    before(deadline - Date.now(), execute(tabId, frames, name, args), () =>
      namedError(
        'Timeout',
        `The audit did not finish in ${limitMillis / 1_000} s; ${audited} frame(s) were done. Ask with a \`scope\` or fewer \`tags\`.`,
      ),
    );

  const paths = new Map<unknown, number>();
  for (const { frameId, outcome } of await call('all', 'framePath', [])) {
    if (outcome && 'value' in outcome && outcome.value !== null) paths.set(outcome.value, frameId);
  }

  const { frames } = answered(await call([TOP], 'start', [params])) as { frames: InnerFrame[] };
  audited++;
  const inner: (PartialResult | null)[] = [];
  for (const frame of frames) await visit(frame);
  const report = answered(await call([TOP], 'finish', [inner, params])) as AuditReport;
  const missing = inner.filter((partial) => partial === null).length;
  return missing > 0 ? { ...report, partial: `${missing} frame(s) could not be audited.` } : report;

  async function visit({ path, context }: InnerFrame): Promise<void> {
    const audit = await answerOf(paths.get(path), context);
    inner.push(audit?.partial ?? null);
    for (const frame of audit?.frames ?? []) await visit(frame);
  }

  /** A frame can disappear, or be closed to extensions. The others are still worth a report. */
  async function answerOf(frameId: number | undefined, context: unknown): Promise<FrameAudit | undefined> {
    if (frameId === undefined) return undefined;
    try {
      const answer = answered(await call([frameId], 'runFrame', [context, params])) as FrameAudit;
      audited++;
      return answer;
    } catch (error) {
      if (error instanceof Error && error.name === 'Timeout') throw error;
      return undefined;
    }
  }
}

function answered([first]: FrameOutcome[]): unknown {
  const outcome = first?.outcome;
  if (!outcome) throw new Error('The page did not answer; the tab may show another page by now.');
  if ('value' in outcome) return outcome.value;
  const error = new Error(outcome.error.message);
  error.name = outcome.error.name;
  throw error;
}
