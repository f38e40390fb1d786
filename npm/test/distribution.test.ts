// What stores, registries and pipelines read of us: it has to parse, to name what exists, and to have one version.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { PLATFORMS, version } from '../assemble.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const json = (path: string) => JSON.parse(text(path));
const NPM = 'npm/gasoline-eyes/package.json';

test('the entry for the MCP registry', () => {
  const server = json('server.json');
  expect(server.$schema).toBe('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json');
  expect(server.name).toMatch(/^[a-z0-9.-]+\/[A-Za-z0-9][A-Za-z0-9._-]*$/);
  expect(server.name, 'the registry asks the npm package who it belongs to').toBe(json(NPM).mcpName);
  expect(server.description.length).toBeLessThanOrEqual(100);
  expect(server.title.length).toBeLessThanOrEqual(100);
  expect(server.version).toBe(version());
  expect(server.repository).toEqual({ url: 'https://github.com/gasoline-mcp/gasoline', source: 'github' });
  expect(server.packages).toHaveLength(1);
  const [npm] = server.packages;
  expect(npm).toMatchObject({ registryType: 'npm', version: version(), transport: { type: 'stdio' } });
  expect(npm.identifier).toBe(json(NPM).name);
  const known = ['$schema', 'name', 'title', 'description', 'version', 'repository', 'packages'];
  expect(Object.keys(server).filter((field) => !known.includes(field))).toEqual([]);
});

test('the plugin for Claude, its marketplace and its server', () => {
  const plugin = json('.claude-plugin/plugin.json');
  expect(plugin).toMatchObject({ name: 'gasoline', version: version(), license: 'MIT' });
  const market = json('.claude-plugin/marketplace.json');
  expect(market.owner.name).toBeTruthy();
  expect(market.plugins).toMatchObject([{ name: plugin.name, source: './' }]);
  const { command, args } = plugin.mcpServers.gasoline;
  expect([command, ...args].join(' ')).toBe(`npx -y ${json(NPM).name}@${version()}`);
});

test('the skill names only tools that there are', () => {
  const skill = text('skills/debug-in-browser/SKILL.md');
  const [, head = '', body = ''] = skill.split(/^---$/m);
  const { name, description } = parse(head);
  expect(name).toBe('debug-in-browser');
  expect(description.length).toBeLessThanOrEqual(1024);
  const tools = new Set([...text('docs/tools.md').matchAll(/^## `(\w+)`$/gm)].map(([, tool]) => tool));
  const named = [...body.matchAll(/`([a-z]+(?:_[a-z]+)+|diagnose)`/g)].map(([, word]) => word);
  const parameters = new Set(['next_steps', 'max_tokens', 'not_exercised']);
  expect(named.filter((word) => !parameters.has(word ?? '') && !tools.has(word ?? ''))).toEqual([]);
  for (const tool of ['get_status', 'diagnose', 'verify_fix', 'generate_test']) expect(named).toContain(tool);
});

test('the image for pipelines is made of what is here', () => {
  const lines = text('Dockerfile').replaceAll('\\\n', ' ').split('\n');
  const stages = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(/\s+/));
  const names = stages.map(([, , , name]) => name);
  for (const [, image] of stages) expect(image, 'official images only').toMatch(/^[a-z]+:[\w.-]+$/);
  const copies = lines.filter((line) => line.startsWith('COPY ')).map((line) => line.split(/\s+/).slice(1));
  expect(copies.length).toBeGreaterThan(5);
  for (const [first = '', ...rest] of copies) {
    if (first.startsWith('--from=')) expect(names).toContain(first.slice('--from='.length));
    else for (const path of [first, ...rest.slice(0, -1)]) expect(existsSync(join(ROOT, path)), path).toBe(true);
  }
  const user = lines.findIndex((line) => line.startsWith('USER '));
  expect(lines[user]).not.toMatch(/root|^USER 0/);
  expect(user).toBeLessThan(lines.findIndex((line) => line.startsWith('ENTRYPOINT ')));
  expect(lines).toContain('CMD ["serve", "--ci"]');
  // Every member of the workspace has to be there, or cargo refuses.
  const members = /members = \[([^\]]*)\]/.exec(text('Cargo.toml'))?.[1] ?? '';
  const copied = copies.flat();
  for (const [, member = ''] of members.matchAll(/"([^"]+)"/g)) expect(copied).toContain(member.split('/')[0]);
  for (const path of text('.dockerignore').trim().split('\n')) expect(copied).not.toContain(path);
});

type Job = { needs?: string; steps: { uses?: string; run?: string }[] };

/// All steps of a workflow, whose jobs wait for jobs that there are and use nobody's actions but GitHub's.
function stepsOf(workflow: { jobs: Record<string, Job> }): Job['steps'] {
  const jobs = Object.values(workflow.jobs);
  for (const { needs } of jobs) if (needs) expect(Object.keys(workflow.jobs)).toContain(needs);
  const steps = jobs.flatMap(({ steps }) => steps);
  for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[\w-]+@(?:[0-9a-f]{40}|v\d+)$/);
  return steps;
}

test('the release makes binaries for every platform that has a package', () => {
  const release = parse(text('.github/workflows/release.yml'));
  expect(release.on.push.tags).toEqual(['v*']);
  expect(release.permissions).toEqual({ contents: 'read' });
  const platforms = release.jobs.binary.strategy.matrix.include;
  expect(platforms.map(({ platform }: { platform: string }) => platform)).toEqual(PLATFORMS);
  expect(new Set(platforms.map(({ target }: { target: string }) => target)).size).toBe(PLATFORMS.length);
  const steps = stepsOf(release);
  const packing = steps.find(({ run }) => run?.includes('npm/assemble.mjs --out'))?.run ?? '';
  for (const platform of PLATFORMS) {
    const ending = platform.startsWith('win32') ? '.exe' : '';
    expect(packing).toContain(`${platform}=binaries/gasoline-${platform}${ending}`);
  }
});

test('a published release goes to npm with everything that it holds', () => {
  const publish = parse(text('.github/workflows/publish.yml'));
  expect(publish.on.release.types).toEqual(['published']);
  expect(publish.permissions).toEqual({ contents: 'read' });
  const script = stepsOf(publish).find(({ run }) => run?.includes('npm publish'))?.run ?? '';
  const patterns = [...script.matchAll(/packages\/(\S+\.tgz)/g)].map(([, pattern = '']) => pattern);
  const names = [...PLATFORMS.map((platform) => `gasoline-eyes-${platform}`), 'gasoline-playwright', 'gasoline-ci'];
  const glob = (pattern: string) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  for (const name of [...names, 'gasoline-eyes']) {
    const matching = patterns.filter((pattern) => glob(pattern).test(`${name}-${version()}.tgz`));
    expect(matching, name).toHaveLength(1);
  }
  // The wrapper comes last.
  expect(patterns.at(-1)).toBe('gasoline-eyes-[0-9]*.tgz');
});

test('every change is tested, on every system that gets a binary, and with the oldest Rust that is promised', () => {
  const ci = parse(text('.github/workflows/ci.yml'));
  expect(Object.keys(ci.on).sort()).toEqual(['pull_request', 'push']);
  expect(ci.permissions).toEqual({ contents: 'read' });
  expect(ci.jobs.platforms.strategy.matrix.runner).toEqual(['macos-latest', 'windows-latest']);
  const runs = stepsOf(ci).map(({ run }) => run ?? '');
  for (const part of ['cargo xtask test', 'rust-version', 'cargo deny --locked check'])
    expect(
      runs.filter((run) => run.includes(part)),
      part,
    ).toHaveLength(1);
});

test('every night each fuzz target runs, and what takes long', () => {
  const nightly = parse(text('.github/workflows/nightly.yml'));
  expect(nightly.on.schedule).toHaveLength(1);
  expect(nightly.permissions).toEqual({ contents: 'read' });
  const names = readdirSync(join(ROOT, 'fuzz/fuzz_targets')).map((file) => file.replace(/\.rs$/, ''));
  expect(nightly.jobs.fuzz.strategy.matrix.target).toEqual(names.sort());
  const listed = [...text('docs/fuzzing.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect([...new Set(listed)].sort()).toEqual(names);
  const runs = stepsOf(nightly).map(({ run }) => run ?? '');
  const wanted = ['-max_total_time=600', 'schemathesis run docs/openapi.json', 'cargo xtask test --all'];
  for (const part of wanted)
    expect(
      runs.filter((run) => run.includes(part)),
      part,
    ).toHaveLength(1);
});

test('the shop of the demo takes little room in the binary', () => {
  const folder = join(ROOT, 'browser/demo/dist');
  const packed = readdirSync(folder).map(
    (name) => deflateRawSync(readFileSync(join(folder, name)), { level: 9 }).length,
  );
  expect(packed.length).toBeGreaterThan(3);
  expect(packed.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(60 * 1024);
});

test('everything that has a version has the same', () => {
  for (const path of ['browser/ci', 'browser/playwright', 'browser/extension', 'browser/demo']) {
    const manifest = json(`${path}/package.json`);
    if (manifest.version) expect(manifest.version, path).toBe(version());
  }
  expect(text('actions/start/action.yml')).toContain(`default: ${version()}\n`);
  expect(json(NPM).version, 'put in when the packages are made').toBeUndefined();
});
