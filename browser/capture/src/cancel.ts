// The browser cancels a response only when both of its copies are cancelled. So we cancel our copy when the page
// cancels its own.

import { patch } from './patch';

const companions = new WeakMap<object, () => void>();

/** Runs `end` when the page cancels the body. */
export function accompany(response: Response, end: () => void): void {
  if (response.body) companions.set(response.body, end);
}

export function watchCancels(): void {
  const inherit = (owner: object, name: PropertyKey) =>
    patch(owner, name, {
      returned(made: object, self: object) {
        const end = companions.get(self);
        if (end) companions.set(made, end);
      },
    });
  const ends = (owner: object, name: string) =>
    patch(owner, name, {
      returned(_, self: object) {
        companions.get(self)?.();
      },
    });
  const { prototype } = ReadableStream;
  for (const name of ['getReader', 'pipeThrough', 'values']) inherit(prototype, name);
  inherit(prototype, Symbol.asyncIterator);
  ends(prototype, 'cancel');
  ends(ReadableStreamDefaultReader.prototype, 'cancel');
  ends(ReadableStreamBYOBReader.prototype, 'cancel');
  const iterator = (new ReadableStream() as unknown as { values(): object }).values();
  ends(Object.getPrototypeOf(iterator), 'return');
}
