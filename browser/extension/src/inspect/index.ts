// The script that the worker injects to query a page. It stays in the extension's own world.

import { type Outcome, outcomeOf } from './outcome';
import { pageInfo } from './page-info';
import { queryDom } from './query-dom';

const functions = { queryDom, pageInfo };

export type InspectFunctions = typeof functions;

/** Returns errors as values, because Chrome drops errors of injected functions. */
function call<Name extends keyof InspectFunctions>(
  name: Name,
  ...args: Parameters<InspectFunctions[Name]>
): Promise<Outcome<ReturnType<InspectFunctions[Name]>>> {
  return outcomeOf(() => (functions[name] as (...args: unknown[]) => ReturnType<InspectFunctions[Name]>)(...args));
}

export type Inspect = InspectFunctions & { call: typeof call };

Object.assign(globalThis, { gasolineInspect: { ...functions, call } satisfies Inspect });
