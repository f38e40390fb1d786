// Finds the `gasoline` binary.

import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** The command line as words. Empty if no binary was found. */
export function findBinary(asked: string): string[] {
  const wanted = asked.trim() || process.env.GASOLINE_BINARY?.trim() || '';
  // A path may contain spaces.
  if (wanted) return existsSync(wanted) ? [wanted] : wanted.split(/\s+/);
  const names = process.platform === 'win32' ? ['gasoline.exe', 'gasoline.cmd'] : ['gasoline'];
  for (const folder of [...packageFolders(), ...(process.env.PATH ?? '').split(delimiter)]) {
    const found = names.map((name) => join(folder, name)).find((path) => folder && existsSync(path));
    if (found) return [found];
  }
  return [];
}

/** Where `npm install gasoline-eyes` puts the binary. */
function packageFolders(): string[] {
  const folders: string[] = [];
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    folders.push(join(folder, 'node_modules', '.bin'));
    if (dirname(folder) === folder) return folders;
  }
}
