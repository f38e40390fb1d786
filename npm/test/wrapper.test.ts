// The packages as people install them: packed, installed without a network, run by npx, spoken to over stdio.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../browser/e2e/support/free-port.mjs';
import { assemble, PLATFORMS, version } from '../assemble.mjs';

const BINARY = resolve(process.env.GASOLINE_BINARY ?? join(import.meta.dirname, '../../target/debug/gasoline'));
const HERE = `${process.platform}-${process.arch}`;
const MINUTES = 5 * 60_000;

const root = mkdtempSync(join(tmpdir(), 'gasoline-npm-'));
const started = new Set<ChildProcess>();
/** npm without the network, with a cache and a home of its own. */
const env: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  HOME: join(root, 'home'),
  npm_config_cache: join(root, 'cache'),
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  GASOLINE_STATE_DIR: join(root, 'state'),
};

/** The tarballs of `gasoline-eyes` and of the package for this machine. */
let tarballs: { main: string; platform: string };

beforeAll(() => {
  mkdirSync(join(root, 'home'));
  mkdirSync(join(root, 'packed'));
  // What a debugger needs is most of a debug build, and packing it takes long.
  const stripped = join(root, 'gasoline');
  execFileSync('strip', ['-o', stripped, BINARY]);
  const folders = assemble(join(root, 'packages'), { [HERE]: stripped });
  const packed = folders.map((folder) => {
    const said = execFileSync('npm', ['pack', '--json', '--pack-destination', join(root, 'packed')], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    const told = JSON.parse(said);
    const [{ filename }] = Array.isArray(told) ? told : Object.values<{ filename: string }>(told);
    return join(root, 'packed', filename);
  });
  tarballs = { platform: packed[0] ?? '', main: packed[1] ?? '' };
}, MINUTES);

afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** Installs into an empty folder. */
function install(name: string, flags: string[], packages: string[]): string {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true }));
  execFileSync('npm', ['install', ...flags, ...packages], { cwd: folder, env, stdio: 'pipe' });
  return folder;
}

/** A port that was free a moment ago. */
const place = (folder: string) => join(folder, 'node_modules/gasoline-eyes/bin/gasoline');
const isScript = (path: string) => readFileSync(path).subarray(0, 2).toString() === '#!';

/** Introduces itself as an AI client does and asks for the tools; the result has the process that answers. */
async function talk(folder: string, program: string, args: string[], port: number) {
  const child = spawn(program, [...args, '--port', String(port)], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.add(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('it ended');
      const message = JSON.parse(value);
      if (message.id === id) return message.result;
    }
  };
  const hello = await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  expect(hello.serverInfo.version).toBe(version());
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const { tools } = await ask('tools/list', {});
  expect(tools.map((tool: { name: string }) => tool.name)).toContain('diagnose');
  return child;
}

/** What runs as this process, and what it started. */
function family(pid: number): string[] {
  const name = (id: string) => readFileSync(`/proc/${id}/comm`, 'utf8').trim();
  const children = readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id))
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid);
      } catch {
        return false;
      }
    });
  return [name(String(pid)), ...children.flatMap((id) => family(Number(id)))];
}

async function end(child: ChildProcess): Promise<number | null> {
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  child.stdin?.end();
  started.delete(child);
  return ended;
}

const stop = (folder: string, port: number) =>
  execFileSync(join(folder, 'node_modules/.bin/gasoline'), ['stop', '--port', String(port)], { cwd: folder, env });

describe.skipIf(process.platform !== 'linux')('installed on this machine', () => {
  test(
    'with install scripts, the binary itself is what runs',
    async () => {
      const port = await freePort();
      const folder = install('with-scripts', ['--dangerously-allow-all-scripts'], [tarballs.main, tarballs.platform]);
      expect(isScript(place(folder))).toBe(false);
      const said = execFileSync('npx', ['gasoline-eyes', '--version'], { cwd: folder, env, encoding: 'utf8' });
      expect(said.trim()).toBe(`gasoline ${version()}`);
      const child = await talk(folder, join(folder, 'node_modules/.bin/gasoline-eyes'), [], port);
      expect(family(child.pid ?? 0)).not.toContain('node');
      expect(family(child.pid ?? 0)[0]).toMatch(/^gasoline/);
      expect(await end(child)).toBe(0);
      stop(folder, port);
    },
    MINUTES,
  );

  test(
    'without install scripts, the script starts it',
    async () => {
      const port = await freePort();
      const folder = install('without-scripts', ['--ignore-scripts'], [tarballs.main, tarballs.platform]);
      expect(isScript(place(folder))).toBe(true);
      const said = execFileSync('npx', ['gasoline-eyes', '--version'], { cwd: folder, env, encoding: 'utf8' });
      expect(said.trim()).toBe(`gasoline ${version()}`);
      const child = await talk(folder, 'npx', ['gasoline-eyes'], port);
      expect(await end(child)).toBe(0);
      stop(folder, port);
      // Its exit codes and its complaints come through.
      const wrong = () =>
        execFileSync(join(folder, 'node_modules/.bin/gasoline'), ['fly'], { cwd: folder, env, stdio: 'pipe' });
      expect(wrong).toThrow(/fly/);
      expect(statusOf(wrong)).toBe(2);
      // A signal ends both.
      const again = await talk(folder, join(folder, 'node_modules/.bin/gasoline-eyes'), [], port);
      const ended = new Promise((done) => again.once('exit', done));
      again.kill('SIGTERM');
      await ended;
      started.delete(again);
      stop(folder, port);
    },
    MINUTES,
  );

  // A Node that can become another program; the one that runs the tests may be older.
  const modern = [
    process.execPath,
    resolve(import.meta.dirname, '../../browser/mcp-clients/node_modules/node/bin/node'),
  ]
    .filter(existsSync)
    .find((node) => execFileSync(node, ['-p', 'typeof process.execve'], { encoding: 'utf8' }).trim() === 'function');

  test.skipIf(!modern)(
    'without install scripts, a newer Node becomes the binary',
    async () => {
      const port = await freePort();
      const folder = install('becomes', ['--ignore-scripts'], [tarballs.main, tarballs.platform]);
      const child = await talk(folder, modern ?? '', [place(folder)], port);
      expect(family(child.pid ?? 0)).not.toContain('node');
      expect(await end(child)).toBe(0);
      stop(folder, port);
    },
    MINUTES,
  );

  test(
    'without the package for this machine it says what to do, and installing does not fail',
    () => {
      const folder = install('missing', ['--dangerously-allow-all-scripts', '--omit=optional'], [tarballs.main]);
      const run = () => execFileSync('npx', ['gasoline-eyes', '--version'], { cwd: folder, env, stdio: 'pipe' });
      expect(run).toThrow(/@gasoline-eyes\/linux-.*is not installed.*without --no-optional/s);
      expect(statusOf(run)).toBe(1);
    },
    MINUTES,
  );
});

test('a machine without a binary is told which there are', () => {
  const script = `Object.defineProperty(process, 'arch', { value: 'mips' });
    try { require(${JSON.stringify(resolve(import.meta.dirname, '../gasoline-eyes/platform.cjs'))}).findBinary() }
    catch (error) { console.log(error.message) }`;
  const said = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(said).toMatch(/there is no binary for \w+ mips, only for linux x64.*cargo xtask build/);
});

test('all packages have one version, and each names the machine it is for', () => {
  const folders = assemble(
    join(root, 'all'),
    Object.fromEntries(PLATFORMS.map((platform) => [platform, join(import.meta.dirname, '../assemble.mjs')])),
  );
  const manifests = folders.map((folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const main = manifests.pop();
  expect(main).toMatchObject({ name: 'gasoline-eyes', version: version(), mcpName: 'io.github.gasoline-mcp/gasoline' });
  expect(main.optionalDependencies).toEqual(Object.fromEntries(manifests.map(({ name }) => [name, version()])));
  for (const [index, { name, os, cpu }] of manifests.entries()) {
    expect([name, `${os}-${cpu}`]).toEqual([`@gasoline-eyes/${PLATFORMS[index]}`, PLATFORMS[index]]);
    expect(existsSync(join(folders[index] ?? '', 'bin', os[0] === 'win32' ? 'gasoline.exe' : 'gasoline'))).toBe(true);
  }
  expect(() => assemble(join(root, 'all'), { 'plan9-x64': BINARY })).toThrow(/plan9-x64 is none of/);
});

function statusOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return (error as { status: unknown }).status;
  }
}
