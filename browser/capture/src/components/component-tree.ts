// What a page's components look like from outside. This travels to the worker, which knows where the error was.

import type { ReactSnapshot } from '../react-snapshot';

export interface ComponentType {
  name: string;
  /** The source file, where a development build tells it. */
  file?: string;
  /** The beginnings of the texts of its functions, and how long each is: that finds it in a script. */
  texts: Array<[head: string, length: number]>;
}

export interface ComponentTree {
  framework: string;
  types: ComponentType[];
  /** For each component its type and the component around it (-1: none), which comes before it. */
  components: Array<[type: number, parent: number]>;
  /** The component of what the user last did something to, and of what has the focus; -1: none. */
  acted: number;
  focused: number;
}

/** One component as it is told, without any value of the page's. */
export interface Component {
  name: string;
  propKeys?: string[];
  hasState?: boolean;
  stateKeys?: string[];
}

/** What was seen, and a way to tell more of a part of it. */
export interface Seen {
  tree: ComponentTree;
  describe(index: number): Omit<Component, 'name'>;
}

export interface Scene {
  reactSnapshot: ReactSnapshot;
  /** What the user last did something to, and what has the focus. */
  acted: Element | undefined;
  focused: Element | undefined;
  /** By `performance.now()`. What was found until then has to do. */
  until: number;
}
