// Runs in a page under test, before any of the page's code: by Playwright's `addInitScript`, by the DevTools protocol
// (`Page.addScriptToEvaluateOnNewDocument`), or as the first script tag. It captures what the extension captures, from the
// same source, and hands it to the server by itself or to the test runner that gave it a way.

import { RECALL } from 'gasoline-capture/annotations';
import type { Host } from 'gasoline-capture/core';
import { type Batch, type Capture, type CaptureSettings, startCapture } from 'gasoline-capture/index';
import { attempt, define, listen, ownProperty } from 'gasoline-capture/natives';
import { installObservers } from 'gasoline-capture/observers';
import { patch } from 'gasoline-capture/patch';
import { PAGE_SETTINGS, type PageSwitches } from 'gasoline-capture/settings.gen';
import { version } from '../package.json';
import { type BindingTransport, bindingTransport } from './binding';
import { createComponentReader } from './components';
import { type CiConfig, type Given, serverOf, takeConfig } from './config';
import { httpTransport } from './http';

declare global {
  interface Window {
    __gasoline?: unknown;
  }
}

const SWITCHES = Object.keys(PAGE_SETTINGS) as Array<keyof PageSwitches>;
/** Not listed anywhere a page would look. */
const REPLACE = 'replace';

const given = takeConfig();
const recall = ownProperty(window, '__gasoline')?.value && ownProperty(window.__gasoline as object, RECALL)?.value;
// Once per document. Texts and data that the browser shows by itself have no code to watch.
if (!recall && /html|svg/.test(document.contentType)) attempt(() => start(given));
else if (recall && given.binding) {
  // A window that opens empty stays when its first page comes, and the runner enters it a second time.
  const replace = ownProperty(recall, REPLACE)?.value as BindingTransport['replace'] | undefined;
  replace?.(given.binding);
}

function start({ config, binding }: Given): void {
  const server = serverOf(config);
  let capture: Capture | undefined;
  const stop = () => capture?.stop();
  const transport = binding ? bindingTransport(binding, () => capture) : httpTransport(server, config, stop);
  const addComponents = createComponentReader((event) =>
    transport.send({ events: [event], dropped: 0, urgent: false, held: 0 }),
  );
  const send = (batch: Batch) => {
    transport.send(batch);
    addComponents(batch);
  };
  capture = startCapture({ send }, version, settingsOf(config, binding ? '' : server), [
    (host) => installObservers(exceptEmptyWindows(host), binding ? '' : server, patch),
  ]);
  transport.named(capture.pageId);
  capture.configure({});
  if (binding)
    define(ownProperty(window.__gasoline as object, RECALL)?.value as object, REPLACE, {
      value: (transport as BindingTransport).replace,
    });
  // After the capture's own last words.
  listen(window, 'pagehide', () => transport.leave());
}

/** Test runners open a window before they go anywhere with it: there is nothing to be seen then. */
function exceptEmptyWindows(host: Host): Host {
  const isEmpty = () => location.href === 'about:blank' && !document.body?.firstChild;
  return {
    get alive() {
      return host.alive;
    },
    emit: (event) => {
      if (!isEmpty()) host.emit(event);
    },
    later: host.later,
    safely: host.safely,
  };
}

function settingsOf(config: CiConfig, server: string): Partial<CaptureSettings> {
  const given = SWITCHES.filter((name) => config[name] !== undefined).map((name) => [name, config[name]]);
  return {
    ...(Object.fromEntries(given) as Partial<CaptureSettings>),
    level: config.level === 'error' || config.level === 'warn' ? config.level : 'all',
    bodies: config.captureMode === 'all' ? 'all' : 'errors',
    reactSnapshot: true,
    server,
  };
}
