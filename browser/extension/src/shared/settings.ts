// Stores the settings. The popup and the options page write here; the worker listens. Each setting and its default is
// defined in crates/wire/src/settings.rs.

import { CAPTURE_LEVELS, type CaptureLevel, DEFAULTS, type Settings } from 'gasoline-capture/settings.gen';

export type { CaptureLevel, Settings };

/** The file that `gasoline extension --out` writes into a copy. */
export interface DefaultsFile {
  port?: number;
  sites?: string[];
  bodies?: boolean;
}

const KEY = 'settings';
/**
 * The content of `defaults.json`, copied by the worker: reading the file from a page would show in that page's timings.
 */
const FILE_KEY = 'defaults';

/** The current settings: the user's choices, then this copy's defaults, then ours. */
export async function loadSettings(): Promise<Settings> {
  const stored = await chrome.storage.local.get([KEY, FILE_KEY]);
  return { ...DEFAULTS, ...fromFile((stored[FILE_KEY] as DefaultsFile | undefined) ?? {}), ...readStored(stored[KEY]) };
}

/** Called by the worker before anything else: makes this copy's defaults available to all parts. */
export async function publishDefaults(): Promise<void> {
  const file = (await (await fetch(chrome.runtime.getURL('defaults.json'))).json()) as DefaultsFile;
  await chrome.storage.local.set({ [FILE_KEY]: file });
}

let writing: Promise<unknown> = Promise.resolve();

/** Writes are queued: two quick clicks must not undo each other. */
export function updateSettings(change: (now: Settings) => Partial<Settings>): Promise<void> {
  const written = writing.then(async () => {
    const stored = (await chrome.storage.local.get(KEY))[KEY] as Partial<Settings> | undefined;
    await chrome.storage.local.set({ [KEY]: { ...readStored(stored), ...change(await loadSettings()) } });
  });
  writing = written.catch(() => {});
  return written;
}

export function onSettings(listener: (settings: Settings) => void): void {
  onSettingsChanged(() => void loadSettings().then(listener));
}

/** Only says that they changed, for parts that read the settings when it is their turn. */
export function onSettingsChanged(listener: () => void): void {
  chrome.storage.onChanged.addListener((changes, area) => {
    if (area === 'local' && changes[KEY]) listener();
  });
}

export function fromFile(file: DefaultsFile): Partial<Settings> {
  const settings: Partial<Settings> = {};
  if (typeof file.port === 'number') settings.server = `http://127.0.0.1:${file.port}`;
  if (Array.isArray(file.sites)) settings.sites = file.sites.filter((site) => typeof site === 'string');
  if (typeof file.bodies === 'boolean') settings.captureNetworkBodies = file.bodies;
  return settings;
}

/** Drops unknown settings and wrong types: storage may come from another version. */
export function readStored(stored: unknown): Partial<Settings> {
  if (typeof stored !== 'object' || stored === null) return {};
  const known: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(stored)) {
    const example = DEFAULTS[key as keyof Settings];
    if (example === undefined || typeof value !== typeof example) continue;
    if (Array.isArray(example) && !(Array.isArray(value) && value.every((item) => typeof item === 'string'))) continue;
    if (key === 'captureLevel' && !CAPTURE_LEVELS.includes(value as CaptureLevel)) continue;
    known[key] = value;
  }
  return known as Partial<Settings>;
}

/** Returns the address without a trailing slash, or why it cannot be used. Captured data stays on this machine. */
export function checkServer(text: string): { server: string } | { problem: string } {
  let url: URL;
  try {
    url = new URL(text.includes('://') ? text.trim() : `http://${text.trim()}`);
  } catch {
    return { problem: 'That is not a valid address. Example: http://127.0.0.1:7890' };
  }
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) {
    return { problem: 'The server must be on this machine: 127.0.0.1, localhost or [::1].' };
  }
  if (url.protocol !== 'http:') return { problem: 'The server speaks http on this machine; https is not needed.' };
  return { server: `http://${url.hostname}:${url.port || '80'}` };
}
