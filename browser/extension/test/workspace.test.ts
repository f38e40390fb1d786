import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('packages import one another by name', () => {
  const packages = fileURLToPath(new URL('../..', import.meta.url));
  const escapes: string[] = [];
  for (const folder of ['capture', 'ci', 'dashboard', 'extension', 'playwright'].flatMap((name) => [
    `${name}/src`,
    `${name}/test`,
  ])) {
    for (const file of readdirSync(`${packages}/${folder}`, { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(file)) continue;
      const code = readFileSync(`${packages}/${folder}/${file}`, 'utf8');
      const found = /from '(\.\.\/)+(capture|ci|dashboard|extension|playwright)\//.exec(code);
      if (found) escapes.push(`${folder}/${file}: ${found[0]}`);
    }
  }
  expect(escapes).toEqual([]);
});
