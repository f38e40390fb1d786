// Builds `dist/`: what test files import, what a config registers, the reporter, and the script that goes into pages.

import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const require = createRequire(import.meta.url);

await rm(at('dist'), { recursive: true, force: true });
await mkdir(at('dist'), { recursive: true });
// CommonJS, as Playwright itself: test files of either kind can import it, and there is one copy of it.
await build({
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // Each by itself may be loaded; what they share must then be the same thing.
  external: ['@playwright/test', 'gasoline-playwright'],
  logLevel: 'warning',
  entryPoints: { index: at('src/index.ts'), register: at('src/register.ts'), reporter: at('src/reporter.ts') },
  outdir: at('dist'),
});
await copyFile(at('../ci/dist/gasoline-ci.min.js'), at('dist/gasoline-ci.min.js'));
execFileSync(
  process.execPath,
  [
    require.resolve('typescript/package.json').replace('package.json', 'bin/tsc'),
    '--project',
    at('tsconfig.types.json'),
  ],
  { stdio: 'inherit' },
);
for (const name of ['index', 'register', 'reporter']) {
  const own = `./types/playwright/src/${name}`;
  await writeFile(
    at(`dist/${name}.d.ts`),
    name === 'register'
      ? "import './types/playwright/src/config-types';\nexport {};\n"
      : `export * from '${own}';\n${name === 'reporter' ? `export { default } from '${own}';\n` : ''}`,
  );
}
