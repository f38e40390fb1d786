// Builds `dist/`: the shop as a development build would have it, bundled, with its framework in a file of its own. Only
// the shop's own code has a source map: it is what the demo is about, and the binary has to stay small.

import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const shared = {
  bundle: true,
  format: 'esm',
  target: 'chrome120',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
};
/** What the shop imports of its framework comes from the file that is shipped beside it. */
const fromVendor = {
  name: 'from-vendor',
  setup({ onResolve }) {
    onResolve({ filter: /^react/ }, () => ({ path: './vendor.js', external: true }));
  },
};
await rm(at('dist'), { recursive: true, force: true });
await cp(at('static'), at('dist'), { recursive: true });
await Promise.all([
  build({
    ...shared,
    entryPoints: [at('src/vendor.js')],
    outfile: at('dist/vendor.js'),
    alias: { react: 'react18', 'react-dom': 'react-dom18' },
  }),
  build({
    ...shared,
    entryPoints: [at('src/index.jsx')],
    outfile: at('dist/shop.js'),
    plugins: [fromVendor],
    jsx: 'automatic',
    minify: false,
    sourcemap: true,
  }),
]);
