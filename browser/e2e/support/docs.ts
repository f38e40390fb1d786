// Reads the guide for pipelines, whose examples are run exactly as written.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const TEXT = readFileSync(resolve(import.meta.dirname, '../../../docs/ci.md'), 'utf8');

/** The one block of code that contains this text. */
export function block(holding: string): string {
  const blocks = [...TEXT.matchAll(/```\w+\n([\s\S]*?)```/g)].map(([, code]) => code as string);
  const found = blocks.filter((code) => code.includes(holding));
  if (found.length !== 1) throw new Error(`docs/ci.md has ${found.length} examples with ${holding}`);
  return found[0] as string;
}
