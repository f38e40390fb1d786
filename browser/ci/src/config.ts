// The test runner's configuration, which it sets as a global before this script runs. The global is read once and
// removed, so that the page under test sees neither the capture nor its token.

import { DEFAULT_PORT } from 'gasoline-capture/limits.gen';
import { define, ownProperty, remove } from 'gasoline-capture/natives';
import type { PageSwitches } from 'gasoline-capture/settings.gen';

export const CONFIG_NAME = '__GASOLINE_CI__';
/** Another way to say which test is running. */
const TEST_ID_NAME = '__GASOLINE_TEST_ID';
/** The function that takes batches to the test runner, if it provides one. */
const BINDING_NAME = '__gasolineSend';
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** All fields are optional; the switches have the extension's names and defaults. */
export interface CiConfig extends Partial<PageSwitches> {
  /** A name of this machine: captured data does not leave it. */
  host?: string;
  port?: number;
  /** The ingest token of `gasoline serve --ci`. */
  token?: string;
  testId?: string;
  worker?: string | number;
  /** Which bodies are kept: those of failed requests (the default), or all. */
  captureMode?: 'errors-only' | 'all';
}

/** Takes a text; its result is an order of the test runner (see `binding.ts`). */
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
  // Playwright before 1.53 looks up its own function by name at every call, so it can only be made non-enumerable.
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
