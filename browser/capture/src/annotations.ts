// `window.__gasoline`: the API by which a page adds information about itself.

import type { Core } from './core';
import { ANNOTATION_BYTES, ANNOTATION_KEYS } from './limits.gen';
import { define, stringify } from './natives';
import type { ReactSnapshots } from './react-snapshot';
import { toPlain } from './serialize';
import { cut, cutBytes } from './text';

const KEY_CHARS = 100;
/** Not enumerable, unlike the others. */
export const RECALL = 'recall';

export interface PageApi {
  readonly version: string;
  /** Attaches a value to every later error. Returns false when there are too many. */
  annotate(key: string, value: unknown): boolean;
  removeAnnotation(key: string): boolean;
  clearAnnotations(): void;
  getAnnotations(): Record<string, unknown>;
}

export interface Annotations {
  current(): Record<string, unknown> | undefined;
  api: PageApi;
}

/** `recall` is for our own script that analyses an error. A page that calls it gets its own objects. */
export function createAnnotations(core: Core, version: string, recall: ReactSnapshots['recall']): Annotations {
  const values = new Map<string, unknown>();
  const api: PageApi = {
    version,
    annotate(key: string, value: unknown): boolean {
      return (
        core.safely(() => {
          const name = cut(String(key), KEY_CHARS);
          if (!name || (!values.has(name) && values.size >= ANNOTATION_KEYS)) return false;
          const plain = toPlain(value);
          // A value that is too large is kept as the start of its text.
          const { text, truncated } = cutBytes(stringify(plain), ANNOTATION_BYTES);
          values.set(name, truncated ? text : plain);
          return true;
        }) ?? false
      );
    },
    removeAnnotation: (key: string) => core.safely(() => values.delete(String(key))) ?? false,
    clearAnnotations: () => core.safely(() => values.clear()),
    getAnnotations: () => core.safely(() => Object.fromEntries(values)) ?? {},
  };
  define(api, RECALL, { value: recall });
  Object.freeze(api);
  return { api, current: () => (values.size > 0 ? Object.fromEntries(values) : undefined) };
}
