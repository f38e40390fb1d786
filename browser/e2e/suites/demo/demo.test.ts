// `gasoline demo` as a newcomer runs it: the real binary, a real browser, and no files left behind.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { chromiumPath } from '../../support/chromium';
import { BINARY } from '../../support/gasoline';

/** A home directory that would show changes to a user's state. */
class Machine {
  readonly root = mkdtempSync(join(tmpdir(), 'gasoline-demo-test-'));
  readonly home = join(this.root, 'home');
  readonly temporary = join(this.root, 'tmp');
  said = '';

  constructor() {
    mkdirSync(this.home);
    mkdirSync(this.temporary);
  }

  demo(browser = chromiumPath()): ChildProcess {
    const env = { PATH: process.env.PATH, HOME: this.home, TMPDIR: this.temporary, CHROME_PATH: browser };
    const child = spawn(BINARY, ['demo', '--headless'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        this.said += chunk;
      });
    }
    return child;
  }

  /** Checks files, and processes that use our folder. Those end shortly after the process that started them. */
  async expectNothingLeft(): Promise<void> {
    expect(readdirSync(this.temporary)).toEqual([]);
    // Chromium itself may create empty folders there, as for any user; our own would be `.gasoline`.
    expect(readdirSync(this.home).filter((name) => name.includes('gasoline'))).toEqual([]);
    await expect.poll(() => this.running(), { timeout: 60_000 }).toEqual([]);
  }

  running(): string[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
          return line.includes(this.root) || readlinkSync(`/proc/${pid}/cwd`).includes(this.root);
        } catch {
          return false;
        }
      });
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

const exit = (child: ChildProcess) => new Promise<number | null>((ended) => child.once('exit', ended));

/** Occupies the user's port; if it is in use already, that is just as good. */
async function holdUsualPort(): Promise<Server | undefined> {
  const server = createServer((socket) => socket.end('not yours'));
  return new Promise((done) => {
    server.once('error', () => done(undefined));
    server.listen(7890, '127.0.0.1', () => done(server));
  });
}

test('the planted bugs are found and reported with their causes, and nothing is left behind', async () => {
  test.setTimeout(600_000);
  const machine = new Machine();
  const held = await holdUsualPort();
  try {
    expect(await exit(machine.demo()), machine.said).toBe(0);
  } finally {
    held?.close();
  }
  // The binary's path is printed in full, so that it can be copied: that line is as long as the folder's name.
  const withName = machine.said.replaceAll(`"${BINARY}"`, 'gasoline').replaceAll(BINARY, 'gasoline');
  for (const part of [
    // The error in the developer's own file, and its cause.
    "TypeError: Cannot read properties of undefined (reading 'price')",
    'src/checkout/order-total.js:4',
    'return quote.subtotal + quote.shipping.price;',
    'POST /api/quote',
    'did not bring what the code reads',
    'no `shipping`',
    'high',
    'CheckoutButton',
    'click button "Checkout',
    // Secrets in an address and in the console.
    'API key exposed in URL query parameter: /api/recommendations?api_key=sk_liv…',
    'Auth token logged to console',
    // What slows the page down.
    'transferred:',
    '/tracking.js',
    // What to do next.
    'gasoline install',
  ]) {
    // Lines may be broken anywhere.
    expect(withName.replace(/\s+/g, ' ')).toContain(part);
  }
  const counts = [...machine.said.matchAll(/(?:diagnose|security_audit|check_performance) {2}(\d+) tokens/g)];
  expect(counts).toHaveLength(3);
  const sum = counts.reduce((sum, [, count]) => sum + Number(count), 0);
  expect(machine.said).toContain(`3 calls, ${sum} tokens in all`);
  expect(machine.said).not.toMatch(/sk_live_[0-9a-f]/);
  expect(machine.said).not.toContain('\u001b');
  expect(Math.max(...withName.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  await machine.expectNothingLeft();
  machine.dispose();
});

test('Chrome, which ignores the command line flag, gets the extension over a pipe', async () => {
  test.setTimeout(600_000);
  const machine = new Machine();
  // Chromium under Chrome's name, which ignores the flag as the real one does.
  const chrome = join(machine.root, 'google-chrome');
  writeFileSync(
    chrome,
    `#!/bin/sh
    case "$1" in --version) echo 'Google Chrome 150.0.1.2'; exit 0;; esac
    case "$*" in *--load-extension*) exit 9;; esac
    exec "${chromiumPath()}" "$@"\n`,
    { mode: 0o755 },
  );
  expect(await exit(machine.demo(chrome)), machine.said).toBe(0);
  expect(machine.said).toContain('Google Chrome 150');
  expect(machine.said.replace(/\s+/g, ' ')).toContain('did not bring what the code reads');
  await machine.expectNothingLeft();
  machine.dispose();
});

test('a browser that is closed too early is named at once', async () => {
  test.setTimeout(600_000);
  const machine = new Machine();
  const child = machine.demo();
  const ended = exit(child);
  await expect.poll(() => machine.said, { timeout: 60_000 }).toContain('✓ extension');
  const line = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  const browser = machine
    .running()
    .find((pid) => line(pid).includes('--user-data-dir') && !line(pid).includes('--type='));
  process.kill(Number(browser), 'SIGKILL');
  expect(await ended, machine.said).toBe(1);
  expect(machine.said).toContain('the browser was closed before the demo was over');
  await machine.expectNothingLeft();
  machine.dispose();
});

test('Ctrl-C ends browser and server, and removes their files', async () => {
  test.setTimeout(600_000);
  const machine = new Machine();
  const child = machine.demo();
  const ended = exit(child);
  await expect.poll(() => machine.said, { timeout: 60_000 }).toContain('it works');
  expect(machine.running().length).toBeGreaterThan(2);
  child.kill('SIGINT');
  expect(await ended, machine.said).toBe(130);
  expect(machine.said).toContain('interrupted; the demo left nothing behind');
  await machine.expectNothingLeft();
  machine.dispose();
});

test('when the demo is killed, its server ends, too', async () => {
  test.setTimeout(600_000);
  const machine = new Machine();
  const child = machine.demo();
  await expect.poll(() => machine.said, { timeout: 60_000 }).toContain('✓ server');
  const ended = exit(child);
  child.kill('SIGKILL');
  await ended;
  const servers = () =>
    machine.running().filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--exit-with-pid'));
  await expect.poll(servers, { timeout: 60_000 }).toEqual([]);
  for (const pid of machine.running()) process.kill(Number(pid), 'SIGKILL');
  await expect.poll(() => machine.running()).toEqual([]);
  machine.dispose();
});
