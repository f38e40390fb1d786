// The packages for test runners, as npm would publish them.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { assembleLibraries, version } from '../assemble.mjs';

const out = mkdtempSync(join(tmpdir(), 'gasoline-libraries-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

test('each has its files, its license, where it comes from, and links that lead somewhere', () => {
  const folders = assembleLibraries(out);
  expect(folders.map((folder) => basename(folder))).toEqual(['gasoline-playwright', 'gasoline-ci']);
  for (const folder of folders) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: basename(folder), version: version(), license: 'MIT' });
    expect(manifest.repository).toMatchObject({ type: 'git', directory: expect.stringMatching(/^browser\//) });
    expect(manifest.devDependencies ?? manifest.scripts).toBeUndefined();
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    for (const [, link] of readme.matchAll(/\]\(([^)]+)\)/g)) expect(link).toMatch(/^https:\/\//);
    const said = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: folder, encoding: 'utf8' }));
    const [{ files }] = Array.isArray(said) ? said : Object.values<{ files: Array<{ path: string }> }>(said);
    const paths = files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    const exported = JSON.stringify(manifest.exports).matchAll(/"\.\/(dist\/[^"]+)"/g);
    for (const [, path] of exported) expect(paths).toContain(path);
  }
  const types = readFileSync(join(out, 'gasoline-playwright/dist/register.d.ts'), 'utf8');
  expect(types).toContain('config-types');
});
