// The system's Chromium, with our extension and without any traffic of its own.

import { spawn } from 'node:child_process';
import { type BrowserContext, chromium, type Page, type Worker } from '@playwright/test';
import { onPath } from './on-path';
import { temporaryFolder } from './temporary';

export function chromiumPath(): string {
  const path = process.env.GASOLINE_CHROMIUM ?? onPath('chromium') ?? onPath('chromium-browser');
  if (!path) throw new Error('No Chromium on PATH. `cargo xtask test` installs it; or set GASOLINE_CHROMIUM.');
  return path;
}

/**
 * For pages without the extension: Chromium's headless shell, which Playwright itself would use. It starts in a third
 * of the time.
 */
export function headlessPath(): string {
  return onPath('chromium-headless-shell') ?? chromiumPath();
}

export const QUIET_FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  // Only loopback is reachable.
  '--host-resolver-rules=MAP *.test 127.0.0.1 , MAP 192.168.77.7 127.0.0.1 , MAP 10.example 127.0.0.1 , MAP plain.example 127.0.0.1 , MAP empty.example 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1 , EXCLUDE [::1]',
];

export async function launch(extension?: string, more: string[] = []): Promise<BrowserContext> {
  const flags = extension ? [`--disable-extensions-except=${extension}`, `--load-extension=${extension}`] : [];
  return chromium.launchPersistentContext(temporaryFolder('profile'), {
    headless: true,
    executablePath: chromiumPath(),
    args: [...QUIET_FLAGS, ...flags, ...more],
    viewport: { width: 1000, height: 700 },
  });
}

export async function extensionWorker(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
}

/** Ends the service worker, as Chrome does to free memory. */
export async function killWorker(page: Page, worker: Worker): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { targetInfos } = await session.send('Target.getTargets');
  const target = targetInfos.find(({ type, url }) => type === 'service_worker' && url === worker.url());
  if (!target) throw new Error('no worker to kill');
  await session.send('Target.closeTarget', { targetId: target.targetId });
  await session.detach();
}

/** Opens an address in a browser without a debugger; the returned function closes it. */
export function openRaw(address: string, ...extensions: string[]): () => void {
  const folders = extensions.join(',');
  const flags = folders ? [`--load-extension=${folders}`, `--disable-extensions-except=${folders}`] : [];
  const profile = `--user-data-dir=${temporaryFolder('profile')}`;
  const { pid } = spawn(chromiumPath(), [...QUIET_FLAGS, '--headless=new', profile, ...flags, address], {
    stdio: 'ignore',
    detached: true,
  });
  return () => {
    if (pid) process.kill(-pid, 'SIGKILL');
  };
}

/** A browser reloads an unpacked extension, or lets it run user scripts, only in developer mode. */
export async function developerMode(page: Page, configuration?: object): Promise<void> {
  await page.goto('chrome://extensions');
  await page.evaluate(async (configuration) => {
    const { developerPrivate } = chrome as unknown as {
      developerPrivate: Record<string, (to: object) => Promise<void>>;
    };
    await developerPrivate.updateProfileConfiguration?.({ inDeveloperMode: true });
    if (configuration) await developerPrivate.updateExtensionConfiguration?.(configuration);
  }, configuration);
}
