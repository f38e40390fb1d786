// Bundles modules into a page on the spot, for tests that need no tools of a framework.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const APPS = join(import.meta.dirname, '../apps');

let bundles = 0;

export interface BundleOptions {
  /** `production`: short names, and a source map inside the script. */
  mode: 'development' | 'production';
  /** Packages that are replaced by others. */
  alias?: Record<string, string>;
}

export interface Bundle {
  /** Contains `index.html` and all scripts. */
  folder: string;
  remove(): void;
}

/** `code` may import all packages and the contents of `apps`. */
export async function bundle(code: string, { mode, alias = {} }: BundleOptions): Promise<Bundle> {
  const folder = join(APPS, 'dist', `bundle-${process.pid}-${++bundles}`);
  mkdirSync(folder, { recursive: true });
  await build({
    stdin: { contents: code, resolveDir: APPS, sourcefile: 'main.jsx', loader: 'jsx' },
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    jsxDev: false,
    minify: mode === 'production',
    sourcemap: 'inline',
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    alias,
    outdir: folder,
    entryNames: 'main',
    logLevel: 'error',
  });
  const html =
    '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Bundle</title><div id="app"></div>';
  writeFileSync(join(folder, 'index.html'), `${html}<script type="module" src="/main.js"></script>`);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
