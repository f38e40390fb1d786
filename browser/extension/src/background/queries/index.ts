// Queries of AI clients about the live page. Each goes to its tab, has a deadline, and always gets an answer.

import { QUERY_WORKER_MARGIN_MILLIS } from 'gasoline-capture/limits.gen';
import type { PendingQuery, QueryError, QueryResult } from 'gasoline-capture/wire.gen';
import type { AuditParams } from '../../inspect/audit/scope';
import type { Settings } from '../../shared/settings';
import { before } from '../deadline';
import type { DebugLog } from '../debug-log';
import type { Server } from '../server';
import { runAudit } from './audit';
import type { Camera } from './camera';
import { executeAudit } from './execute-audit';
import { executeJs } from './execute-js';
import { Failure } from './failure';
import { inspect, named, withinTime } from './inject';
import { startRecording, stopRecording } from './record';
import { takeScreenshot } from './screenshot';
import { findTarget, type Target } from './target';

/** Inner deadlines expire first: they know better what took so long. */
const DEADLINE_MILLIS = 200;

export interface Surroundings {
  settings: Settings;
  server: Server;
  camera: Camera;
  log: DebugLog;
}

export async function answer(query: PendingQuery, surroundings: Surroundings): Promise<QueryResult> {
  const started = performance.now();
  let target: Target | undefined;
  let outcome: Pick<QueryResult, 'result' | 'error'>;
  const perform = async () => {
    // A recording is stopped even when its tab is gone.
    if (query.action === 'record_stop') return stopRecording(surroundings.server);
    target = await findTarget(query.tab_id, surroundings.settings);
    return (await inTab(query, target, surroundings)) ?? null;
  };
  try {
    // One deadline covers the whole query.
    const millis = query.timeout_ms + QUERY_WORKER_MARGIN_MILLIS + DEADLINE_MILLIS;
    const late = () => new Failure('QUERY_TIMEOUT', `The query did not finish within ${query.timeout_ms / 1_000} s.`);
    const value = await before(millis, perform(), late);
    outcome = { result: { success: true, value, type: kindOf(value) }, error: null };
  } catch (error) {
    outcome = { result: null, error: describe(error) };
    surroundings.log.add('warn', 'a query was not answered', { action: query.action, error: outcome.error });
  }
  return {
    query_id: query.id,
    correlation_id: query.correlation_id,
    action: query.action,
    ...outcome,
    execution_time_ms: Math.round(performance.now() - started),
    ...(target && { tab_id: target.id, url: target.url }),
    timestamp: Date.now(),
  };
}

function inTab(query: PendingQuery, target: Target, { settings, server, camera }: Surroundings): Promise<unknown> {
  const millis = query.timeout_ms;
  switch (query.action) {
    case 'query_dom':
      return inspect(target, 'queryDom', [domParamsOf(query)], millis);
    case 'get_page_info':
      return inspect(target, 'pageInfo', [], millis);
    case 'execute_a11y_audit':
      return withinTime(runAudit(target.id, auditParamsOf(query), executeAudit, millis), target, millis);
    case 'execute_js':
      return executeJs(target, query.script ?? '', millis, settings);
    case 'take_screenshot':
      return takeScreenshot(target, query.full_page === true, millis, camera);
    case 'record_start':
      return startRecording(target, query.name ?? 'recording', server);
    default:
      throw new Error(`This extension does not know "${query.action}": it may be older than the server.`);
  }
}

function domParamsOf({ selector, include_styles, include_children, max_depth, properties }: PendingQuery): object {
  return given({ selector, include_styles, include_children, max_depth, properties });
}

function auditParamsOf({ scope, tags, include_passes }: PendingQuery): AuditParams {
  return given({ scope, tags, include_passes });
}

function given(params: object): object {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value != null));
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function describe(caught: unknown): QueryError {
  const error = caught instanceof Error ? named(caught) : caught;
  if (error instanceof Failure) return { message: error.message, type: error.code.toLowerCase(), code: error.code };
  const { message = String(error), name = 'Error', stack } = error as Partial<Error>;
  return { message, type: name, code: 'BROWSER_ERROR', ...(stack !== undefined && { stack }) };
}
