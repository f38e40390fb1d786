// Makes the npm packages out of built binaries:
//
//   node npm/assemble.mjs --out DIR linux-x64=PATH darwin-arm64=PATH …
//
// One package for each platform with the binary, and `gasoline-eyes`, which depends on all of them; npm installs the one
// that fits. Beside them the packages for test runners, from their built parts. The version is Cargo's.

import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

export const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

/** The packages for test runners, by their folders. */
export const LIBRARIES = ['browser/playwright', 'browser/ci'];

/** The version of everything, from the one place where it stands. */
export function version() {
  const manifest = readFileSync(join(ROOT, 'Cargo.toml'), 'utf8');
  const found = /^\[workspace\.package\]\n(?:.*\n)*?version = "([^"]+)"/m.exec(manifest)?.[1];
  if (!found) throw new Error('Cargo.toml has no version in [workspace.package]');
  return found;
}

/** Writes `out/<platform>` for each binary, and `out/gasoline-eyes`. Returns the folders. */
export function assemble(out, binaries) {
  const main = mainManifest();
  const folders = [];
  for (const [platform, binary] of Object.entries(binaries)) {
    if (!PLATFORMS.includes(platform)) throw new Error(`${platform} is none of ${PLATFORMS.join(', ')}`);
    const [os, cpu] = platform.split('-');
    const file = os === 'win32' ? 'gasoline.exe' : 'gasoline';
    const folder = fresh(join(out, platform));
    mkdirSync(join(folder, 'bin'));
    copyFileSync(binary, join(folder, 'bin', file));
    chmodSync(join(folder, 'bin', file), 0o755);
    write(folder, {
      name: `@gasoline-eyes/${platform}`,
      version: version(),
      description: `The gasoline binary for ${os} on ${cpu}; install gasoline-eyes instead`,
      license: main.license,
      repository: main.repository,
      os: [os],
      cpu: [cpu],
      files: ['bin'],
      preferUnplugged: true,
      publishConfig: { access: 'public' },
    });
    folders.push(folder);
  }
  const folder = fresh(join(out, 'gasoline-eyes'));
  cpSync(join(ROOT, 'npm/gasoline-eyes'), folder, { recursive: true });
  const { name, ...rest } = main;
  const optionalDependencies = Object.fromEntries(
    PLATFORMS.map((platform) => [`@gasoline-eyes/${platform}`, version()]),
  );
  write(folder, { name, version: version(), ...rest, optionalDependencies });
  return [...folders, folder];
}

/** Writes `out/<name>` for each package for test runners. Returns the folders. */
export function assembleLibraries(out) {
  const { repository } = mainManifest();
  return LIBRARIES.map((library) => {
    const {
      scripts: _s,
      devDependencies: _d,
      ...manifest
    } = JSON.parse(readFileSync(join(ROOT, library, 'package.json'), 'utf8'));
    const folder = fresh(join(out, manifest.name));
    cpSync(join(ROOT, library, 'dist'), join(folder, 'dist'), { recursive: true });
    // A package's page knows no folders beside it.
    const page = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/v${version()}`;
    const readme = readFileSync(join(ROOT, library, 'README.md'), 'utf8');
    const absolute = readme.replace(/\]\((?!https?:|#)([^)]+)\)/g, (_, path) => `](${page}/${join(library, path)})`);
    writeFileSync(join(folder, 'README.md'), absolute);
    write(folder, { ...manifest, version: version(), repository: { ...repository, directory: library } });
    return folder;
  });
}

function mainManifest() {
  return JSON.parse(readFileSync(join(ROOT, 'npm/gasoline-eyes/package.json'), 'utf8'));
}

function fresh(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  return folder;
}

function write(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [flag, out, ...pairs] = process.argv.slice(2);
  if (flag !== '--out' || !out || pairs.length === 0) {
    process.stderr.write('usage: node npm/assemble.mjs --out DIR PLATFORM=BINARY…\n');
    process.exit(2);
  }
  const binaries = Object.fromEntries(pairs.map((pair) => pair.split('=', 2)));
  for (const folder of [...assemble(out, binaries), ...assembleLibraries(out)]) {
    process.stdout.write(`${folder}\n`);
  }
}
