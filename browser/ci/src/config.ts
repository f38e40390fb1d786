// What the test runner wants, set as a global before this script runs. It is read once and taken away: pages under test
// need not know that they are watched, nor by which token.

import { DEFAULT_PORT } from 'gasoline-capture/limits.gen';
import { define, ownProperty, remove } from 'gasoline-capture/natives';
import type { PageSwitches } from 'gasoline-capture/settings.gen';

export const CONFIG_NAME = '__GASOLINE_CI__';
/** Another way to say which test is running. */
const TEST_ID_NAME = '__GASOLINE_TEST_ID';
/** The function that carries batches to the test runner, when it gives one. */
const BINDING_NAME = '__gasolineSend';
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Every field may be left out; the switches have the names and defaults that the extension has. */
export interface CiConfig extends Partial<PageSwitches> {
  /** A name of this machine: what is captured does not leave it. */
  host?: string;
  port?: number;
  /** The ingest token of `gasoline serve --ci`. */
  token?: string;
  testId?: string;
  worker?: string | number;
  /** Which bodies are kept: those of failed requests (the default), or all. */
  captureMode?: 'errors-only' | 'all';
}

/** Takes text; what it answers is an order of the test runner (see `binding.ts`). */
export type Binding = (text: string) => Promise<unknown>;

export interface Given {
  config: CiConfig;
  binding: Binding | undefined;
}

export function takeConfig(): Given {
  const found = takeAway(CONFIG_NAME);
  const config: CiConfig = typeof found === 'object' && found !== null ? { ...found } : {};
  const testId = takeAway(TEST_ID_NAME);
  if (config.testId === undefined && typeof testId === 'string') config.testId = testId;
  const binding = takeAway(BINDING_NAME);
  if (typeof binding !== 'function') return { config, binding: undefined };
  // Playwright before 1.53 looks its own function up by name at every call; hidden from lists is the most that can be.
  if (ownProperty(binding, '__installed')) define(window, BINDING_NAME, { value: binding, configurable: true });
  return { config, binding: binding as Binding };
}

function takeAway(name: string): unknown {
  const value = ownProperty(window, name)?.value;
  remove(window, name);
  return value;
}

/** The server's origin. */
export function serverOf({ host = '', port }: CiConfig): string {
  const name = LOOPBACK.has(host) ? host : '127.0.0.1';
  const fits = typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536;
  return `http://${name}:${fits ? port : DEFAULT_PORT}`;
}
