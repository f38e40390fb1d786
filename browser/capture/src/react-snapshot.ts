// A snapshot of React's components at an error. React unmounts its whole tree when nothing catches what a component
// threw. So the components are recorded at once, as they are; `enrich.js` interprets them later.

import type { Core } from './core';
import {
  REACT_SNAPSHOT_COMPONENTS,
  REACT_SNAPSHOT_GAP_MILLIS,
  REACT_SNAPSHOT_KEPT,
  REACT_SNAPSHOT_MILLIS,
} from './limits.gen';
import { clock, setTimer } from './natives';

const KEEP_MILLIS = 5_000;
const MOST_WAITING = 20_000;
/** Containers are near the top of a page, and near one another. */
const ELEMENTS = 500;
const FURTHER = 100;

/** React's node for each part of its tree, with the names it has had since version 16. */
interface Fiber {
  type: unknown;
  child: Fiber | null;
  sibling: Fiber | null;
  deletions?: Fiber[] | null;
  alternate: Fiber | null;
  memoizedProps: unknown;
  pendingProps: unknown;
  memoizedState: unknown;
  stateNode: unknown;
}

/** A list, because an object with named fields would cost more bytes in the page. */
export type ReactSnapshot = [
  /** Four entries for each React component: its type, the index of its parent (or -1), its props, its state. */
  components: unknown[],
  /** The index of the component that each element belongs to. */
  owners: Map<unknown, number>,
  /** The target of the user's last action, and its time. */
  acted: Element | undefined,
  actedAt: number,
  focused: Element | null,
];

export interface ReactSnapshots {
  /** Takes a snapshot for the error of this id. */
  note(id: string): void;
  /** The snapshot of that error, else a recent one, else one taken now. */
  recall(id: string): ReactSnapshot;
}

/** `acted`: returns the target and the time of the user's last action. */
export function createReactSnapshots(core: Core, acted: () => [Element | undefined, number]): ReactSnapshots {
  const kept = new Map<string, ReactSnapshot>();
  let latest: ReactSnapshot | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = (): ReactSnapshot => [
    ...components(clock() + REACT_SNAPSHOT_MILLIS),
    ...acted(),
    document.activeElement,
  ];
  return {
    note(id) {
      if (!core.switches.reactSnapshot) return;
      if (!latest || clock() - lookedAt > REACT_SNAPSHOT_GAP_MILLIS) {
        const now = look();
        // React logs an error and throws it again after it unmounted the tree: then the first snapshot is the right
        // one.
        if (!latest || now[0][0]) latest = now;
        lookedAt = clock();
      }
      kept.set(id, latest);
      for (const oldest of kept.keys()) if (kept.size > REACT_SNAPSHOT_KEPT) kept.delete(oldest);
      setTimer(() => {
        kept.delete(id);
        if (kept.size === 0) latest = undefined;
      }, KEEP_MILLIS);
    },
    recall: (id) => kept.get(id) ?? latest ?? look(),
  };
}

/** All components that React shows or has just unmounted. */
export function components(until: number): [unknown[], Map<unknown, number>] {
  const found: unknown[] = [];
  const owners = new Map<unknown, number>();
  const waiting: unknown[] = [];
  // Skip the elements of the head: in development it has hundreds of styles.
  const all = document.body?.getElementsByTagName('*') ?? [];
  let last = ELEMENTS;
  for (let index = -2; index < last; index++) {
    const element = index < -1 ? document : index < 0 ? document.body : all[index];
    if (!element) break;
    for (const key of Object.keys(element)) {
      if (!/^_.?react(Root)?Container/.test(key)) continue;
      // biome-ignore lint/suspicious/noExplicitAny: React's own, in the shapes of four major versions
      const held = (element as any)[key];
      const top: Fiber | undefined = (held?.stateNode ?? held?._internalRoot ?? held)?.current;
      if (top) {
        waiting.push(top, -1);
        last = index + FURTHER;
      }
      break;
    }
  }
  noteComponents(waiting, found, owners, until);
  return [found, owners];
}

/** Walks trees from their tops: `waiting` has pairs of a fiber and the index of its parent component. */
export function noteComponents(
  waiting: unknown[],
  found: unknown[],
  owners: Map<unknown, number>,
  until: number,
): void {
  for (let steps = 1; waiting.length > 0 && found.length < REACT_SNAPSHOT_COMPONENTS * 4; steps++) {
    if (steps % 64 === 0 && clock() > until) break;
    let owner = waiting.pop() as number;
    const fiber = waiting.pop() as Fiber | null;
    if (!fiber) continue;
    const { type, stateNode } = fiber;
    // A component that threw during its first render has no memoized props yet. One that has neither was unmounted
    // before.
    const props = fiber.memoizedProps ?? fiber.pendingProps;
    if (typeof type === 'string') owners.set(stateNode, owner);
    else if (type && props && typeof type !== 'symbol') {
      owner = found.push(type, owner, props, fiber.memoizedState) / 4 - 1;
    }
    // React never builds a circular list, but a page could.
    for (let child = fiber.child; child && waiting.length < MOST_WAITING; child = child.sibling) {
      waiting.push(child, owner);
    }
    // The alternate copy of an unmounted part has what was about to be shown, up to the component that threw.
    for (const gone of fiber.deletions ?? []) waiting.push(gone.alternate, owner, gone, owner);
  }
}
