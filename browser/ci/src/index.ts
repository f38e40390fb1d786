// Runs in a page under test, before any of the page's code: through Playwright's `addInitScript`, through the DevTools
// protocol (`Page.addScriptToEvaluateOnNewDocument`), or as the first script tag. It captures what the extension
// captures, with the same source code. It sends batches to the server itself, or to the test runner if that provided a
// function.

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
/** Not enumerable, so that a page does not come across it. */
const REPLACE = 'replace';

const given = takeConfig();
const recall = ownProperty(window, '__gasoline')?.value && ownProperty(window.__gasoline as object, RECALL)?.value;
// Once per document. Plain text and data that the browser displays itself have no code to capture.
if (!recall && /html|svg/.test(document.contentType)) attempt(() => start(given));
else if (recall && given.binding) {
  // A window that opens empty is kept when its first page loads, and the runner runs this script a second time.
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
  // After the capture's own last events.
  listen(window, 'pagehide', () => transport.leave());
}

/** Test runners open a window before they navigate it: until then there is nothing to capture. */
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
