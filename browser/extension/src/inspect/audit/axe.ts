// axe-core, which the worker injects before this script, without its messages between frames.

import type axeCore from 'axe-core';

/** axe's types omit its log function. */
export type Axe = typeof axeCore & { log: (...what: unknown[]) => void };

export function quietAxe(): Axe {
  const { axe } = globalThis as unknown as { axe: Axe };
  // By default, axe listens to the page's messages and answers them: a page that runs axe would get two answers.
  axe.frameMessenger({ open: () => undefined, post: () => false });
  axe.log = () => {};
  return axe;
}
