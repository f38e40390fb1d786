// Installs an example of the folder `examples`, following its README.

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const EXAMPLES = resolve(import.meta.dirname, '../../../examples');

export function exampleFolder(name: string): string {
  return join(EXAMPLES, name);
}

/** Returns why the packages could not be installed, or `undefined` if they are there. */
export function installExample(name: string): string | undefined {
  const folder = exampleFolder(name);
  const lock = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules/.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8')) return undefined;
  try {
    // Package scripts download drivers and browsers; the system has its own.
    const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    execFileSync('npm', args, { cwd: folder, stdio: 'pipe', timeout: 240_000, env: ownEnvironment() });
  } catch (error) {
    return `npm could not install examples/${name}: ${String((error as { stderr?: Buffer }).stderr ?? error).slice(0, 300)}`;
  }
  copyFileSync(lock, installed);
  return undefined;
}

/** Removes the variables of the outer runner, which an inner runner would use as its own. */
export function ownEnvironment(): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) => !/^(TEST_|PW_|PLAYWRIGHT_|FORCE_COLOR)/.test(name));
  return { ...(Object.fromEntries(own) as Record<string, string>), NO_COLOR: '1' };
}
