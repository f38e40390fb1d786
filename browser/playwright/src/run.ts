// Shared state of the workers of one run: a folder named after the runner's process, in Gasoline's own state directory.

import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export function stateDir(): string {
  return process.env.GASOLINE_STATE_DIR || join(homedir(), '.gasoline');
}

/** The id of the process that starts the workers, whether called in that process or in a worker. */
export function runnerPid(parent = process.ppid, first = '/proc/1/cmdline'): number {
  if (process.env.TEST_WORKER_INDEX === undefined) return process.pid;
  // Orphans become children of the first process, which never ends. A server that waits for it would never end, either.
  if (parent <= 1 && !isRunner(first)) throw new RunnerGone();
  return parent;
}

export class RunnerGone extends Error {
  constructor() {
    super('the test runner ended');
  }
}

/** In a container the runner itself may be the first process. */
function isRunner(commandLine: string): boolean {
  try {
    return readFileSync(commandLine, 'utf8').includes('playwright');
  } catch {
    return false;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const PREFIX = 'playwright-';
/** The holder of a lock has written its process id within this time. */
const WRITE_MILLIS = 2_000;

export class Run {
  readonly folder: string;

  constructor(readonly pid = runnerPid()) {
    const parent = join(stateDir(), 'run');
    this.folder = join(parent, `${PREFIX}${this.pid}`);
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(parent)) {
      const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length) : 'none');
      if (pid > 0 && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
    }
  }

  /** A short tag that distinguishes this run's tests from those of earlier runs on the same server. */
  get tag(): string {
    return this.once('tag', () => Math.random().toString(36).slice(2, 6).padEnd(4, '0'));
  }

  read<T>(name: string): T | undefined {
    try {
      return JSON.parse(readFileSync(join(this.folder, name), 'utf8')) as T;
    } catch {
      return undefined;
    }
  }

  write(name: string, value: unknown): void {
    writeFileSync(join(this.folder, name), JSON.stringify(value), { mode: 0o600 });
  }

  remove(name: string): void {
    rmSync(join(this.folder, name), { force: true });
  }

  /** Returns true to exactly one caller, until that caller releases the lock or its process ends. */
  lock(name: string): boolean {
    const path = join(this.folder, name);
    try {
      const file = openSync(path, 'wx', 0o600);
      writeFileSync(file, String(process.pid));
      closeSync(file);
      return true;
    } catch {
      if (this.isStale(name)) this.remove(name);
      return false;
    }
  }

  private isStale(name: string): boolean {
    const holder = this.read<number>(name);
    if (holder !== undefined) return !isAlive(holder);
    // A holder without an id either is about to write it, or died before it could.
    const made = statSync(join(this.folder, name), { throwIfNoEntry: false })?.mtimeMs;
    return made !== undefined && Date.now() - made > WRITE_MILLIS;
  }

  private once(name: string, make: () => string): string {
    try {
      writeFileSync(join(this.folder, name), JSON.stringify(make()), { flag: 'wx', mode: 0o600 });
    } catch {
      // Another worker was first.
    }
    return this.read<string>(name) ?? 'run';
  }
}
