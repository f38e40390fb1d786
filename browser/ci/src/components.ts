// The components in which an error happened, read as the extension reads them, but from inside the page. No script is
// fetched for them, because requests that a test did not make could change its result. So components are known only by
// name, and shortened names are left out.

import { type Ancestry, findAncestry } from 'gasoline-capture/components/ancestry';
import { type ErrorEvent, type Failure, failuresIn } from 'gasoline-capture/components/failures';
import { framesOf } from 'gasoline-capture/components/frames';
import { describe, readComponents } from 'gasoline-capture/components/frameworks';
import { Rate } from 'gasoline-capture/components/rate';
import type { Batch } from 'gasoline-capture/index';
import { DEDUPE_MILLIS } from 'gasoline-capture/limits.gen';
import { nowMillis, parse, stringify } from 'gasoline-capture/natives';

const MADE_SHORT = 2;
/** A repeat is reported again a few seconds later, when its snapshot is gone. */
const REPEAT_MILLIS = DEDUPE_MILLIS * 2;
const RECENT = 50;
const TAB = 0;

interface Known {
  at: number;
  ancestry: Promise<Ancestry | undefined>;
}

/** `tell`: sends an event that adds to an earlier one. */
export function createComponentReader(tell: (event: string) => void): (batch: Batch) => void {
  const rate = new Rate(nowMillis);
  const known = new Map<string, Known>();

  function ancestryOf(failure: Failure): Promise<Ancestry | undefined> | undefined {
    const key = `${failure.message}\n${failure.stack}`;
    const before = known.get(key);
    if (before && nowMillis() - before.at < REPEAT_MILLIS) return before.ancestry;
    if (!rate.allows(TAB, '')) return undefined;
    const ancestry = find(failure);
    known.delete(key);
    known.set(key, { at: nowMillis(), ancestry });
    for (const oldest of known.keys()) if (known.size > RECENT) known.delete(oldest);
    return ancestry;
  }

  /** Never rejects, because nothing may be waiting for it. */
  async function find(failure: Failure): Promise<Ancestry | undefined> {
    try {
      return await findAncestry(failure, framesOf(failure.stack), {
        readComponents: async () => readComponents(failure.id),
        describe: async (tree, components) => describe(failure.id, tree, components),
        script: async () => undefined,
      });
    } catch {
      return undefined;
    }
  }

  async function read(failure: Failure): Promise<void> {
    try {
      const found = await ancestryOf(failure);
      const innermost = found?.components.at(-1)?.name ?? '';
      if (innermost.length <= MADE_SHORT) return;
      tell(stringify({ type: 'error', id: failure.id, _aiContext: { componentAncestry: found } }));
    } catch {
      // The error itself has been sent anyway.
    }
  }

  return ({ events }) => {
    // Most batches contain no error and need not be parsed again.
    if (!events.some((event) => event.includes('"level":"error"'))) return;
    for (const failure of failuresIn(
      events.map((event) => parse(event) as ErrorEvent),
      nowMillis(),
    ))
      void read(failure);
  };
}
