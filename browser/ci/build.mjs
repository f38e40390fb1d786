// Builds `dist/`: the script as people read it, and as pages get it.

import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { OURS } from 'gasoline-capture/mangled-names.mjs';
import { shrink } from 'gasoline-capture/shrink.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Under this name our frames are known in stacks, and DevTools passes over them. */
const SOURCE_URL = '//# sourceURL=gasoline:///node_modules/gasoline/capture.js';
const HEADER =
  '/* gasoline-ci: records what this page does and hands it to the Gasoline server on this machine. MIT */';

const shared = {
  bundle: true,
  format: 'iife',
  target: 'chrome120',
  legalComments: 'none',
  logLevel: 'warning',
  entryPoints: [at('src/index.ts')],
  banner: { js: HEADER },
  footer: { js: SOURCE_URL },
};
await rm(at('dist'), { recursive: true, force: true });
await Promise.all([
  build({ ...shared, outfile: at('dist/gasoline-ci.js') }),
  build({ ...shared, minify: true, mangleProps: OURS, outfile: at('dist/gasoline-ci.min.js') }),
]);
await shrink(at('dist/gasoline-ci.min.js'), { header: HEADER, footer: SOURCE_URL });
