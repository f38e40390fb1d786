// A copy of one of the apps, whose sources a test may edit. Vite's development server serves it, or it is built for
// production with source maps and served as files.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { build, createServer, type InlineConfig } from 'vite';
import { json, Site } from './site';

const PLUGINS = { react, vue, svelte };
const APPS = join(import.meta.dirname, '../apps');

let copies = 0;

export type AppName = keyof typeof PLUGINS;

export class App {
  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly end: () => Promise<unknown>,
  ) {}

  /** `app`: the folder, if its name differs from the framework's. */
  static async start(name: AppName, app: string = name): Promise<App> {
    const folder = copyOf(app);
    const server = await createServer({
      ...configuration(name, folder),
      cacheDir: join(folder, 'cache'),
      server: { host: '127.0.0.1', port: 0, watch: { usePolling: false } },
      // Listed up front: dependencies found later would make the page reload.
      optimizeDeps: { include: DEPENDENCIES[name], noDiscovery: true },
    });
    await server.listen();
    const { port } = (server.httpServer as Server).address() as AddressInfo;
    return new App(folder, port, () => server.close());
  }

  static async build(name: AppName, app: string = name): Promise<App> {
    const folder = copyOf(app);
    // The path matters: the output must not look like a library.
    const outDir = join(folder, 'out');
    await build({
      ...configuration(name, folder),
      build: { outDir, sourcemap: true, modulePreload: { polyfill: false } },
    });
    const site = await Site.open(outDir);
    return new App(folder, site.port, () => site.close());
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  edit(file: string, from: string, to: string): void {
    const path = join(this.folder, file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    writeFileSync(path, text.replace(from, to));
  }

  async close(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Beside the original, so that it resolves the same packages. */
function copyOf(app: string): string {
  const folder = join(APPS, 'dist', `${app}-${process.pid}-${++copies}`);
  mkdirSync(folder, { recursive: true });
  cpSync(join(APPS, app), folder, { recursive: true });
  return folder;
}

function configuration(name: AppName, root: string): InlineConfig {
  return {
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [PLUGINS[name]() as never, { name: 'api', configureServer: (server) => void server.middlewares.use(api) }],
  };
}

const DEPENDENCIES: Record<AppName, string[]> = {
  react: ['react', 'react/jsx-dev-runtime', 'react-dom/client'],
  vue: ['vue'],
  svelte: [
    'svelte',
    'svelte/internal/client',
    'svelte/internal/disclose-version',
    'svelte/internal/flags/async',
    'svelte/internal/flags/legacy',
  ],
};

function api(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  if (request.url === '/api/items') {
    json(
      response,
      ['apple', 'pear', 'plum'].map((label, id) => ({ id, label })),
    );
  } else if (request.url === '/api/greet') {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => response.end(`hello ${(JSON.parse(body) as { name: string }).name}`));
  } else next();
}
