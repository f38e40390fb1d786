// Builds `dist/`, the folder that Chrome loads.

import { cp, mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { OURS } from 'gasoline-capture/mangled-names.mjs';
import { shrink } from 'gasoline-capture/shrink.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

await rm(at('dist'), { recursive: true, force: true });
await mkdir(at('dist'), { recursive: true });
await cp(at('static'), at('dist'), { recursive: true });
// As it is published, with its licence (MPL-2.0) at the top.
await cp(fileURLToPath(new URL('axe.min.js', import.meta.resolve('axe-core'))), at('dist/axe.min.js'));

/**
 * Chrome files each `console.error` made from an extension's address as an error of that extension, which takes a quarter
 * of a millisecond; under another name it does not. DevTools passes over `node_modules` when it shows where a line
 * comes from, as it does for extensions.
 */
const SOURCE_URL = '//# sourceURL=gasoline:///node_modules/gasoline/capture.js';

const shared = { bundle: true, minify: true, target: 'chrome120', legalComments: 'none', logLevel: 'warning' };
await Promise.all([
  // These run in pages, where a module can't and where nothing may become global.
  build({
    ...shared,
    mangleProps: OURS,
    footer: { js: SOURCE_URL },
    format: 'iife',
    entryPoints: {
      page: at('src/page/index.ts'),
      'page-bodies': at('src/page/bodies.ts'),
      content: at('src/content/index.ts'),
    },
    outdir: at('dist'),
  }),
  // Injected when they are asked for. They speak with libraries and with the page's own objects, whose names they keep.
  build({
    ...shared,
    footer: { js: SOURCE_URL },
    format: 'iife',
    entryPoints: {
      enrich: at('src/enrich/index.ts'),
      inspect: at('src/inspect/index.ts'),
      audit: at('src/inspect/audit/index.ts'),
    },
    outdir: at('dist'),
  }),
  build({
    ...shared,
    format: 'esm',
    entryPoints: {
      background: at('src/background/index.ts'),
      popup: at('src/popup/index.ts'),
      options: at('src/options/index.ts'),
      offscreen: at('src/offscreen/index.ts'),
    },
    outdir: at('dist'),
  }),
]);
for (const name of ['page', 'page-bodies', 'content']) await shrink(at(`dist/${name}.js`), { footer: SOURCE_URL });
