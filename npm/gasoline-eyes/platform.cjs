// Where the binary for this machine is: in a package of its own, of which npm installs only the one that fits.

const NAMES = {
  'linux x64': 'linux-x64',
  'linux arm64': 'linux-arm64',
  'darwin x64': 'darwin-x64',
  'darwin arm64': 'darwin-arm64',
  'win32 x64': 'win32-x64',
};

/** The path of the binary, or an error that says what to do. */
exports.findBinary = () => {
  const machine = `${process.platform} ${process.arch}`;
  const name = NAMES[machine];
  if (!name) {
    throw new Error(
      `there is no binary for ${machine}, only for ${Object.keys(NAMES).join(', ')}. ` +
        'With Rust and Node it can be built from source: `cargo xtask build` in a clone of https://github.com/gasoline-mcp/gasoline.',
    );
  }
  const file = process.platform === 'win32' ? 'gasoline.exe' : 'gasoline';
  try {
    return require.resolve(`@gasoline-eyes/${name}/bin/${file}`);
  } catch {
    throw new Error(
      `the package @gasoline-eyes/${name}, which has the binary, is not installed. ` +
        'It is an optional dependency: install gasoline-eyes again, without --no-optional or --omit=optional. ' +
        'Dependencies that were installed on another machine or in a container have the binary of that machine.',
    );
  }
};
