// Finds the server or starts it. If ten workers come at once, one of them starts it. It ends with the runner's process,
// whatever happens to the workers.

import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBinary } from './binary';
import { Client } from './client';
import type { Run } from './run';
import type { GasolineWorkerOptions } from './types';

const START_MILLIS = 20_000;
const LOOK_MILLIS = 50;
/** After a failed start in one worker, no worker of the run tries again for this long. */
const GIVE_UP_MILLIS = 600_000;

const SERVER = 'server.json';
const FAILED = 'failed.json';
const LOCK = 'start.lock';

interface Started {
  port: number;
}

/** Records that no server could be started, and why. */
interface Failed {
  at: number;
  message: string;
}

/** Returns `undefined` when there is no server and none can be started; one worker of the run reports why. */
export async function connect(options: GasolineWorkerOptions, run: Run): Promise<Client | undefined> {
  const found = await find(options.gasolinePort, run);
  if (found) return found;
  const hasFailed = () => {
    const failed = run.read<Failed>(FAILED);
    return failed !== undefined && Date.now() - failed.at < GIVE_UP_MILLIS;
  };
  if (hasFailed()) return undefined;
  const until = Date.now() + START_MILLIS;
  while (!run.lock(LOCK)) {
    if (run.read(FAILED) || Date.now() > until) return undefined;
    await new Promise((done) => setTimeout(done, LOOK_MILLIS));
    const started = run.read<Started>(SERVER);
    if (started) return (await find(options.gasolinePort, run)) ?? undefined;
  }
  try {
    // Another worker may have tried in the meantime.
    if (hasFailed()) return undefined;
    return (await find(options.gasolinePort, run)) ?? (await start(options, run));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const before = run.read<Failed>(FAILED);
    run.write(FAILED, { at: Date.now(), message } satisfies Failed);
    // A later attempt failed for the same reason, which has been reported.
    if (before?.message !== message) warn(message);
    return undefined;
  } finally {
    run.remove(LOCK);
  }
}

export function warn(message: string): void {
  process.stderr.write(`gasoline: ${message}\n`);
}

async function find(port: number, run: Run): Promise<Client | undefined> {
  const started = run.read<Started>(SERVER);
  for (const candidate of new Set([started?.port ?? 0, port])) {
    if (candidate === 0) continue;
    const client = new Client(candidate);
    if ((await client.health()) === 'ours') return client;
  }
  return undefined;
}

async function start({ gasolinePort: port, gasolineAutoStart, gasolineBinary }: GasolineWorkerOptions, run: Run) {
  const otherwise = 'Tests run without it.';
  if (port !== 0) {
    const health = await new Client(port).health();
    if (health === 'other-token') {
      throw new Error(
        `the Gasoline server on port ${port} rejects our token. ` +
          `Set GASOLINE_TOKEN or GASOLINE_STATE_DIR as it was started with. ${otherwise}`,
      );
    }
    if (health === 'foreign') {
      throw new Error(`port ${port} is in use by another program; set another \`gasolinePort\`, or 0. ${otherwise}`);
    }
  }
  if (!gasolineAutoStart) {
    const command = `gasoline serve --ci --port ${port || 7890}`;
    throw new Error(`no server on port ${port}, and \`gasolineAutoStart\` is off: run \`${command}\`. ${otherwise}`);
  }
  const [program, ...words] = findBinary(gasolineBinary);
  if (!program) {
    throw new Error(
      `the \`gasoline\` binary was not found. Run \`npm install --save-dev gasoline-eyes\`, ` +
        `or set \`gasolineBinary\` (or GASOLINE_BINARY) to its path. ${otherwise}`,
    );
  }
  const log = join(run.folder, 'server.log');
  const file = openSync(log, 'w', 0o600);
  const args = [...words, 'serve', '--ci', '--port', String(port), '--exit-with-pid', String(run.pid)];
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', file], windowsHide: true });
  closeSync(file);
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code) => {
    ended ??= `it ended with ${code}`;
  });
  child.unref();
  for (const until = Date.now() + START_MILLIS; Date.now() < until; ) {
    const text = readFileSync(log, 'utf8');
    const chosen = Number(/listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1] ?? 0);
    const client = new Client(chosen);
    if (chosen && (await client.health()) === 'ours') {
      run.write(SERVER, { port: chosen } satisfies Started);
      return client;
    }
    if (ended !== undefined) {
      // Another run may have started one on the same port at the same time.
      const other = await find(port, run);
      if (other) return other;
      const lastLines = text.trim().split('\n').slice(-3).join(' ');
      throw new Error(`the server could not be started by \`${program}\`: ${ended}. ${lastLines} ${otherwise}`);
    }
    await new Promise((done) => setTimeout(done, LOOK_MILLIS));
  }
  throw new Error(`the server did not start within ${START_MILLIS / 1_000} s; see ${log}. ${otherwise}`);
}
