// A page's components as the page shows them. The tree is sent to the worker, which knows where the error was.

import type { ReactSnapshot } from '../react-snapshot';

export interface ComponentType {
  name: string;
  /** The source file, where a development build names it. */
  file?: string;
  /** The beginning and the length of each of its functions' texts, by which it is found in a script. */
  texts: Array<[head: string, length: number]>;
}

export interface ComponentTree {
  framework: string;
  types: ComponentType[];
  /** For each component its type and its parent (-1: none). A parent comes before its children. */
  components: Array<[type: number, parent: number]>;
  /** The components of the last action's target and of the focused element; -1: none. */
  acted: number;
  focused: number;
}

/** One component as it is reported, without any of the page's values. */
export interface Component {
  name: string;
  propKeys?: string[];
  hasState?: boolean;
  stateKeys?: string[];
}

/** The components that were found, and a function that describes some of them in detail. */
export interface Seen {
  tree: ComponentTree;
  describe(index: number): Omit<Component, 'name'>;
}

export interface Scene {
  reactSnapshot: ReactSnapshot;
  /** The target of the user's last action, and the focused element. */
  acted: Element | undefined;
  focused: Element | undefined;
  /** A `performance.now()` time at which the search ends with what it has found. */
  until: number;
}
