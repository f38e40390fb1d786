// The relay: takes batches from the page's world and hands each to the worker once.

import type { Host } from 'gasoline-capture/core';
import { attempt } from 'gasoline-capture/natives';
import { installObservers } from 'gasoline-capture/observers';
import { toJson } from 'gasoline-capture/text';
import { joinLine, type Line, onNewcomer } from '../shared/bridge';
import { captureSettings } from '../shared/capture-settings';
import { type Delivery, type FromPage, HURRY, type ToContent, type ToPage, type Wanted } from '../shared/page-messages';
import { loadSettings, type Settings } from '../shared/settings';
import { judge } from '../shared/sites';

/** Pauses before the worker is tried again; it may just be starting. */
const RETRIES = [100, 500, 2_000];

/** A page that takes this long to load is not made to wait much longer by us. */
const PATIENCE_MILLIS = 1_000;

// While the page loads this world does as little as it can: it holds the line. The settings, the extension's own
// interface (which Chrome makes on first use) and the observers come once the page has loaded, or when something
// can't wait: an error, or the page going away.
let joined = false;
joinLine((line) => {
  joined = true;
  let relay: Relay | undefined;
  const start = () => {
    relay ??= startRelay(line);
    return relay;
  };
  line.receive((text) => start().receive(text));
  // The extension was reloaded and its new scripts are coming: this copy makes room, also before it has begun.
  onNewcomer(() => {
    if (!chrome.runtime?.id) start().makeRoom();
  });
  if (document.readyState === 'complete') return void start();
  addEventListener('load', () => setTimeout(start));
  setTimeout(start, PATIENCE_MILLIS);
});

interface Relay {
  receive(text: string): void;
  /** The extension was reloaded and its new scripts are coming. */
  makeRoom(): void;
}

function startRelay(line: Line): Relay {
  const from = crypto.getRandomValues(new Uint32Array(2)).join('-');
  let number = 0;
  let chain = Promise.resolve();
  let judged = false;
  let ended = false;

  const tell = (message: ToPage) => line.send(JSON.stringify(message));
  const end = () => {
    ended = true;
    tell({ stop: true });
  };

  let pageId = from;
  const host: Host = {
    get alive() {
      return !ended;
    },
    // Load times and pictures of the page are rare: each goes by itself.
    emit: (event) => deliver({ events: [toJson(event)], dropped: 0, urgent: false, held: 0, pageId }),
    later: (work) => void requestIdleCallback(() => host.safely(work), { timeout: 1_000 }),
    safely: attempt,
  };

  function deliver(batch: FromPage): void {
    const delivery: Delivery = { type: 'deliver', from, number: number++, batch, unjudged: !judged };
    // The first attempt is made at once, also when the page is going away; only repeats wait for their turn.
    const first = hand(delivery);
    chain = chain.then(async () => {
      if (await first) return;
      for (const pause of RETRIES) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        if (ended || (await hand(delivery))) return;
      }
    });
  }

  async function hand(delivery: Delivery): Promise<boolean> {
    try {
      return (await chrome.runtime.sendMessage(delivery)) === true;
    } catch {
      // The extension was reloaded or removed: this copy of it has nobody to talk to any more.
      if (!chrome.runtime?.id) end();
      return false;
    }
  }

  async function begin(): Promise<void> {
    try {
      const settings = await loadSettings();
      if (!isCaptured(settings)) return end();
      judged = true;
      tell({ settings: captureSettings(settings, 'normal') });
      installObservers(host);
    } catch {
      end();
    }
  }

  chrome.runtime?.onMessage?.addListener((message: ToContent, _, reply) => {
    if (message?.type !== 'configure' || ended) return;
    if (!isCaptured(message.settings)) return end();
    tell({ settings: captureSettings(message.settings, message.memory) });
    // Says that this page is taken care of.
    reply(true);
  });
  void begin();

  return {
    receive(text) {
      const batch = ended || text === HURRY ? undefined : read(text);
      if (!batch) return;
      pageId = batch.pageId;
      deliver(batch);
    },
    makeRoom() {
      if (!ended && !chrome.runtime?.id) end();
    },
  };
}

// Where the page's part did not come in with us it has to be asked for: in frames without an address, and in pages
// that were open before.
setTimeout(async () => {
  if (joined || !scriptsMayRun() || !isCaptured(await loadSettings())) return;
  const wanted: Wanted = { type: 'inject-page' };
  await chrome.runtime.sendMessage(wanted);
});

/**
 * Private addresses can't be told by a match pattern, so the scripts may be in a page that is none of ours. A frame
 * without an address of its own belongs to the page around it.
 */
function isCaptured(settings: Settings): boolean {
  const address = /^https?:/.test(location.href) ? location.href : location.origin;
  return !/^https?:/.test(address) || judge(address, settings).captured;
}

/**
 * Not in a sandbox without scripts. Nothing tells us so there, where our own world runs all the same; so a document whose
 * origin says that it is in some sandbox is left alone.
 */
function scriptsMayRun(): boolean {
  const { frameElement } = window;
  if (frameElement?.hasAttribute('sandbox'))
    return (frameElement as HTMLIFrameElement).sandbox.contains('allow-scripts');
  return self.origin !== 'null';
}

/** Only what has the shape of a batch goes on. */
function read(text: string): FromPage | undefined {
  try {
    const batch = JSON.parse(text) as FromPage;
    const fits =
      Array.isArray(batch.events) &&
      batch.events.every((event) => typeof event === 'string') &&
      typeof batch.dropped === 'number' &&
      typeof batch.held === 'number' &&
      typeof batch.pageId === 'string';
    return fits ? batch : undefined;
  } catch {
    return undefined;
  }
}
