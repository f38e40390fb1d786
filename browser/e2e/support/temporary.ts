// Folders that are removed when the process that created them ends. Browser profiles are large, and there are hundreds.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

export function temporaryFolder(name: string): string {
  if (made.length === 0) process.once('exit', removeAll);
  const folder = mkdtempSync(join(tmpdir(), `gasoline-${name}-`));
  made.push(folder);
  return folder;
}

function removeAll(): void {
  for (const folder of made) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A browser that is about to end still writes into it.
    }
  }
}
