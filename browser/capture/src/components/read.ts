// Reads a page's objects without running its code.

/** The value of an own data property. Getters are not called. */
export function field(object: unknown, key: PropertyKey): unknown {
  if (!isObject(object)) return undefined;
  try {
    return Reflect.getOwnPropertyDescriptor(object, key)?.value;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** The names of own fields, without symbols. */
export function keysOf(object: unknown, most: number): string[] {
  if (!isObject(object)) return [];
  try {
    return Reflect.ownKeys(object)
      .filter((key): key is string => typeof key === 'string')
      .slice(0, most);
  } catch {
    return [];
  }
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** `src/pages/Login.svelte` → `Login`. */
export function fileName(path: string): string {
  return /([^/\\]+?)(?:\.\w+)?$/.exec(path.replace(/[?#].*$/, ''))?.[1] ?? '';
}

/** The parent of a node, across shadow roots. */
export function around(node: Node): Node | null {
  return node.parentNode ?? (node instanceof ShadowRoot ? node.host : null);
}

/** All elements, or only the first ones of a page that has many. */
export function* elements(until: number, most = 5_000): Generator<Element> {
  const all = document.getElementsByTagName('*');
  for (let index = 0; index < most; index++) {
    const element = all[index];
    if (!element || (index % 64 === 63 && performance.now() > until)) return;
    yield element;
  }
}

/** Runs work that may call the page's code, and ignores what that code throws. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
