// Builds `dist/`: the page, its script and its styles, as the server hands them out.

import { cp, mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

await rm(at('dist'), { recursive: true, force: true });
await mkdir(at('dist'), { recursive: true });
await cp(at('static'), at('dist'), { recursive: true });
// The extension and the dashboard are one product: the same mark, the same colours.
await cp(at('../extension/static/icons/mark.svg'), at('dist/mark.svg'));
await build({
  entryPoints: { app: at('src/index.tsx') },
  outdir: at('dist'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'chrome120',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
});
