// Puts the binary itself in the place of the script that would start it, so that no Node process runs in between.
// Where that can't be done the script stays, which works just as well.

const { chmodSync, copyFileSync, linkSync, renameSync, rmSync } = require('node:fs');
const { join } = require('node:path');
const { findBinary } = require('./platform.cjs');

// On Windows, and with other package managers, what is called may be a shim that hands this file to Node.
const isOurs = process.platform !== 'win32' && /^npm\//.test(process.env.npm_config_user_agent ?? '');

if (isOurs) {
  const place = join(__dirname, 'bin', 'gasoline');
  const draft = `${place}.${process.pid}`;
  try {
    const binary = findBinary();
    try {
      linkSync(binary, draft);
    } catch {
      copyFileSync(binary, draft);
    }
    chmodSync(draft, 0o755);
    renameSync(draft, place);
  } catch {
    // Never a failed installation: the script says what is wrong when it is run.
    rmSync(draft, { force: true });
  }
}
