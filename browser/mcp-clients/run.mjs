// Real MCP clients against the real binary: the inspector's command line over stdio and over HTTP, and the official
// conformance suite over HTTP. See docs/conformance.md.
//
//   node run.mjs --binary PATH --conformance-binary PATH
//
// Runs on the system's Node. The two clients need a newer one, which comes as a package and is used for them alone.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../e2e/support/free-port.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TOOL_SOURCES = resolve(HERE, '../../crates/gasoline/src/tools');
const BASELINE = join(HERE, 'baseline.yml');
const NODE = join(HERE, 'node_modules/node/bin/node');
const INSPECTOR = join(HERE, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const CONFORMANCE = join(HERE, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

// One call takes half a second; a busy machine may take longer, a hang may not.
const CALL_MS = 30_000;
const SUITE_MS = 120_000;
const START_MS = 10_000;
const STOP_MS = 5_000;
const EVERYTHING_MS = 300_000;

// A scenario in the baseline may fail in these checks and in no other.
const MAY_FAIL = { 'dns-rebinding-protection': ['localhost-host-valid-accepted'] };

const PAGE = 'http://localhost:3000/checkout';
const ENTRIES = [
  { level: 'info', message: 'checkout opened', url: PAGE },
  { level: 'warn', message: 'cart is empty', url: PAGE },
  { level: 'error', message: 'TypeError: total is undefined', url: PAGE },
];

const results = { passed: 0, failed: 0 };
const children = new Set();

async function check(name, body) {
  try {
    await body();
    results.passed += 1;
    console.log(`ok    ${name}`);
  } catch (error) {
    results.failed += 1;
    console.log(`FAIL  ${name}\n      ${String(error.message ?? error).replaceAll('\n', '\n      ')}`);
  }
}

// Processes

function start(command, args, env) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const run = { child, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    run.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    run.stderr += text;
  });
  children.add(child);
  run.ended = new Promise((done) => {
    child.on('error', (error) => {
      run.stderr += error.message;
      children.delete(child);
      done(-1);
    });
    child.on('close', (code) => {
      children.delete(child);
      done(code ?? -1);
    });
  });
  return run;
}

async function within(promise, ms) {
  let timer;
  const late = new Promise((done) => {
    timer = setTimeout(done, ms, undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a command to its end; one that takes too long is ended and told apart. */
async function run(command, args, env, ms = CALL_MS) {
  const running = start(command, args, env);
  const code = await within(running.ended, ms);
  if (code === undefined) {
    running.child.kill('SIGKILL');
    throw new Error(`no end after ${ms} ms: ${args.join(' ')}\n${running.stderr}`);
  }
  return { code, stdout: running.stdout, stderr: running.stderr };
}

async function end(running) {
  running.child.kill('SIGTERM');
  const code = await within(running.ended, STOP_MS);
  if (code === undefined) {
    running.child.kill('SIGKILL');
    throw new Error(`still there ${STOP_MS} ms after SIGTERM`);
  }
  return code;
}

/** A foreground server on a port of its own choice, with its address. */
async function serve(binary, args, env) {
  const running = start(binary, ['serve', ...args, '--port', '0'], env);
  const deadline = Date.now() + START_MS;
  for (;;) {
    const url = /listening on (http:\S+)/.exec(running.stderr)?.[1];
    if (url) return { ...running, url };
    const code = await within(running.ended, 20);
    if (code !== undefined || Date.now() > deadline) {
      running.child.kill('SIGKILL');
      throw new Error(`the server did not start: ${running.stderr}`);
    }
  }
}

/** An empty state directory, and an environment that leaves the user's own alone. */
async function room(name) {
  const home = join(scratch, name);
  const state = join(home, 'state');
  await mkdir(state, { recursive: true });
  return { home, state, env: { PATH: process.env.PATH, HOME: home, GASOLINE_STATE_DIR: state } };
}

function clientEnv({ env }) {
  return { ...env, PATH: `${join(HERE, 'node_modules/.bin')}${delimiter}${env.PATH}`, NO_COLOR: '1' };
}

// The inspector

/** Asks with the inspector; `target` says how it reaches the server. */
function inspector(target, env) {
  return async (...method) => {
    const { code, stdout, stderr } = await run(NODE, [INSPECTOR, '--cli', ...target, '--method', ...method], env);
    let answer;
    try {
      answer = JSON.parse(stdout);
    } catch {
      // Nothing was answered; who asked looks at the code.
    }
    return { code, answer, stderr };
  };
}

/** Every tool by the name its source gives it. */
async function toolNames() {
  const names = [];
  for (const file of await readdir(TOOL_SOURCES, { recursive: true })) {
    if (!file.endsWith('.rs')) continue;
    const source = await readFile(join(TOOL_SOURCES, file), 'utf8');
    for (const [, name] of source.matchAll(/const NAME: &'static str = "(\w+)"/g)) names.push(name);
  }
  return names.sort();
}

/** What both transports have to do. The server holds nothing yet. */
async function drive(where, ask, baseUrl, state) {
  const call = async (tool, args = {}) => {
    const { code, answer, stderr } = await ask(
      'tools/call',
      '--tool-name',
      tool,
      '--tool-args-json',
      JSON.stringify(args),
    );
    assert.ok(answer, `no answer (exit ${code}): ${stderr}`);
    const [block] = answer.content;
    assert.deepEqual(JSON.parse(block.text), answer.structuredContent, 'text and structured content differ');
    return { code, isError: answer.isError === true, value: answer.structuredContent };
  };

  await check(`${where}: tools/list names every tool, portable schemas only`, async () => {
    const { code, answer, stderr } = await ask('tools/list', '--strict');
    assert.equal(code, 0, stderr);
    assert.deepEqual(answer.tools.map((tool) => tool.name).sort(), await toolNames());
    for (const tool of answer.tools) {
      assert.ok(tool.description && tool.annotations?.title, `${tool.name} lacks a description or a title`);
      assert.equal(tool.inputSchema.type, 'object');
    }
  });
  await check(`${where}: get_status says that no browser is connected`, async () => {
    const { isError, value } = await call('get_status');
    assert.equal(isError, false);
    assert.equal(value.connected, false);
    assert.equal(value.buffers.logs.count, 0);
    assert.ok(value.clients >= 1, 'the asking client is not counted');
    assert.ok(value.next_steps.length > 0, 'no next step');
  });
  await check(`${where}: get_browser_logs on nothing says why`, async () => {
    const { value } = await call('get_browser_logs');
    assert.deepEqual(value.logs, []);
    assert.ok(value.hint, 'no hint');
  });
  await check(`${where}: POST /logs stores what a page sent`, async () => {
    const token = (await readFile(join(state, 'token'), 'utf8')).trim();
    const reply = await fetch(`${baseUrl}/logs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ entries: ENTRIES }),
      signal: AbortSignal.timeout(START_MS),
    });
    assert.equal(reply.status, 200);
    assert.deepEqual(await reply.json(), { received: 3, rejected: 0, entries: 3 });
  });
  await check(`${where}: get_browser_logs, newest first`, async () => {
    const { value } = await call('get_browser_logs');
    assert.deepEqual(
      value.logs.map((entry) => entry.message),
      ENTRIES.map((entry) => entry.message).reverse(),
    );
    assert.equal(value.total, 3);
  });
  await check(`${where}: get_browser_logs with level, search and limit`, async () => {
    const { value } = await call('get_browser_logs', { level: 'info', search: 'CHECKOUT', limit: 5 });
    assert.deepEqual(
      value.logs.map((entry) => [entry.level, entry.message, entry.url]),
      [['info', 'checkout opened', PAGE]],
    );
    assert.equal(value.returned, 1);
  });
  await check(`${where}: get_browser_errors, then that error by its id`, async () => {
    const { value } = await call('get_browser_errors');
    assert.deepEqual(
      value.errors.map((error) => [error.message, error.count]),
      [['TypeError: total is undefined', 1]],
    );
    const { isError, value: one } = await call('get_browser_errors', { id: value.errors[0].id });
    assert.equal(isError, false);
    assert.equal(one.entry.message, 'TypeError: total is undefined');
  });
  await check(`${where}: an unknown parameter is invalid_params and names the known ones`, async () => {
    const { code, isError, value } = await call('get_browser_logs', { levle: 'error' });
    assert.equal(isError, true);
    assert.notEqual(code, 0);
    assert.equal(value.error, 'invalid_params');
    assert.match(value.message, /levle.*`level`/);
    assert.ok(value.hint, 'no hint');
  });
  await check(`${where}: the conformance fixtures are not in the product`, async () => {
    const { code, stderr } = await ask('tools/call', '--tool-name', 'test_simple_text');
    assert.notEqual(code, 0);
    assert.match(stderr, /tool_not_found/);
  });
  await check(`${where}: clear_browser_logs empties the buffer`, async () => {
    const { value } = await call('clear_browser_logs');
    assert.deepEqual([value.cleared, value.entries_removed], [true, 3]);
    const { value: after } = await call('get_browser_logs');
    assert.deepEqual(after.logs, []);
  });
}

async function overStdio(binary) {
  const rooms = await room('stdio');
  const port = await freePort();
  const settings = ['-e', `GASOLINE_PORT=${port}`, '-e', `GASOLINE_STATE_DIR=${rooms.state}`];
  try {
    await drive('stdio', inspector([binary, ...settings], clientEnv(rooms)), `http://127.0.0.1:${port}`, rooms.state);
  } finally {
    await check('stdio: gasoline stop ends the background server', async () => {
      const { code, stderr } = await run(binary, ['stop', '--port', String(port)], rooms.env);
      assert.equal(code, 0, stderr);
      await assert.rejects(fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(STOP_MS) }));
    });
  }
}

async function overHttp(binary) {
  const rooms = await room('http');
  const server = await serve(binary, [], rooms.env);
  try {
    const token = (await readFile(join(rooms.state, 'token'), 'utf8')).trim();
    const target = (header) => [`${server.url}/mcp`, '--transport', 'http', '--stored-auth-only', ...header];
    const bearer = (value) => target(['--header', `Authorization: Bearer ${value}`]);
    await drive('http', inspector(bearer(token), clientEnv(rooms)), server.url, rooms.state);
    const last = token.endsWith('0') ? '1' : '0';
    for (const [name, args] of [
      ['a wrong token', bearer(token.slice(0, -1) + last)],
      ['no token', target([])],
    ]) {
      await check(`http: ${name} is refused`, async () => {
        const { code, answer, stderr } = await inspector(args, clientEnv(rooms))('tools/list');
        assert.notEqual(code, 0);
        assert.equal(answer, undefined);
        assert.match(stderr, /auth_required/);
      });
    }
  } finally {
    await check('http: the server ends cleanly on SIGTERM', async () => assert.equal(await end(server), 0));
  }
}

// The conformance suite

async function baseline() {
  const text = await readFile(BASELINE, 'utf8');
  return [...text.matchAll(/^ {2}- ([\w-]+)$/gm)].map(([, name]) => name);
}

/** The checks of each scenario that ran, by its name. */
async function outcomes(folder) {
  const found = new Map();
  for (const name of await readdir(folder)) {
    const scenario = /^server-(.+?)-\d{4}-\d{2}-\d{2}T/.exec(name)?.[1];
    if (scenario) found.set(scenario, JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')));
  }
  return found;
}

async function conformance(binary) {
  const rooms = await room('conformance');
  const env = clientEnv(rooms);
  const output = join(rooms.home, 'results');
  const expected = await baseline();
  const listed = await run(NODE, [CONFORMANCE, 'list', '--server'], env);
  const scenarios = [...listed.stdout.matchAll(/^ {2}- ([\w-]+)/gm)].map(([, name]) => name);

  const server = await serve(binary, ['--no-auth'], rooms.env);
  let suite;
  try {
    const args = [
      'server',
      '--url',
      `${server.url}/mcp`,
      '--suite',
      'all',
      '--expected-failures',
      BASELINE,
      '-o',
      output,
    ];
    suite = await run(NODE, [CONFORMANCE, ...args], env, SUITE_MS);
  } finally {
    await check('conformance: the server ends cleanly on SIGTERM', async () => assert.equal(await end(server), 0));
  }

  const ran = await outcomes(output);
  for (const scenario of scenarios) {
    const known = expected.includes(scenario);
    await check(`conformance: ${scenario}${known ? ' (in the baseline)' : ''}`, () => {
      const checks = ran.get(scenario);
      assert.ok(checks?.length, 'did not run');
      const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
      const allowed = known ? (MAY_FAIL[scenario] ?? []) : [];
      const unexpected = bad.filter(({ id }) => !allowed.includes(id));
      assert.equal(unexpected.length, 0, unexpected.map(({ id, errorMessage }) => `${id}: ${errorMessage}`).join('\n'));
      assert.ok(bad.length > 0 || !known, 'passes now: take it out of the baseline');
      const stale = allowed.filter((id) => !bad.some((failed) => failed.id === id));
      assert.equal(stale.length, 0, `passes now: take it out of MAY_FAIL: ${stale.join(', ')}`);
    });
  }
  await check('conformance: the suite agrees, and the baseline is not stale', () => {
    assert.ok(scenarios.length > 0, `no scenarios: ${listed.stderr}`);
    assert.deepEqual(
      expected.filter((name) => !scenarios.includes(name)),
      [],
      'no such scenarios',
    );
    assert.deepEqual(Object.keys(MAY_FAIL).sort(), [...expected].sort(), 'the baseline and MAY_FAIL differ');
    assert.equal(suite.code, 0, suite.stdout.slice(suite.stdout.indexOf('=== SUMMARY')) + suite.stderr);
  });
}

// All of it

function usage(message) {
  console.error(`${message}\nusage: node run.mjs --binary PATH --conformance-binary PATH`);
  process.exit(2);
}

function options() {
  try {
    const { values } = parseArgs({ options: { binary: { type: 'string' }, 'conformance-binary': { type: 'string' } } });
    for (const name of ['binary', 'conformance-binary']) {
      if (!values[name]) usage(`--${name} is missing`);
      if (!existsSync(values[name])) usage(`--${name}: there is no ${values[name]}`);
    }
    return { binary: resolve(values.binary), fixtures: resolve(values['conformance-binary']) };
  } catch (error) {
    return usage(error.message);
  }
}

function abandon(why) {
  for (const child of children) child.kill('SIGKILL');
  console.log(`FAIL  ${why}\nmcp-clients: ${results.passed} passed, ${results.failed + 1} failed`);
  process.exit(1);
}

const { binary, fixtures } = options();
for (const needed of [NODE, INSPECTOR, CONFORMANCE]) {
  if (!existsSync(needed)) usage(`${needed} is missing: run \`npm ci\` here`);
}
setTimeout(abandon, EVERYTHING_MS, `not done after ${EVERYTHING_MS} ms`).unref();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => abandon(`ended by ${signal}`));

const scratch = await mkdtemp(join(tmpdir(), 'gasoline-mcp-'));
for (const [name, suite] of [
  ['stdio', () => overStdio(binary)],
  ['http', () => overHttp(binary)],
  ['conformance', () => conformance(fixtures)],
]) {
  try {
    await suite();
  } catch (error) {
    await check(`${name}: runs to its end`, () => {
      throw error;
    });
  }
}
await rm(scratch, { recursive: true, force: true });
console.log(`mcp-clients: ${results.passed} passed, ${results.failed} failed`);
process.exit(results.failed === 0 ? 0 : 1);
