// A Vite development server for a copy of one of the apps, so that a test may edit its sources.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { createServer, type ViteDevServer } from 'vite';
import { json } from '../../support/site';

const PLUGINS = { react, vue, svelte };
const APPS = join(import.meta.dirname, '../../apps');

let copies = 0;

export type AppName = keyof typeof PLUGINS;

export class App {
  private constructor(
    private readonly folder: string,
    private readonly server: ViteDevServer,
  ) {}

  static async start(name: AppName): Promise<App> {
    // Beside the original, where the same packages are found.
    const folder = join(APPS, 'dist', `${name}-${process.pid}-${++copies}`);
    mkdirSync(folder, { recursive: true });
    cpSync(join(APPS, name), folder, { recursive: true });
    const server = await createServer({
      configFile: false,
      root: folder,
      cacheDir: join(folder, 'cache'),
      logLevel: 'error',
      plugins: [
        PLUGINS[name]() as never,
        { name: 'api', configureServer: (server) => void server.middlewares.use(api) },
      ],
      server: { host: '127.0.0.1', port: 0, watch: { usePolling: false } },
      // All found before the first page asks; found later they would make the page load again.
      optimizeDeps: { include: DEPENDENCIES[name], noDiscovery: true },
    });
    await server.listen();
    return new App(folder, server);
  }

  get port(): number {
    const address = this.server.httpServer?.address() as AddressInfo | null | undefined;
    return address?.port ?? 0;
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
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
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
