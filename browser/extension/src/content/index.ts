// The relay: accepts batches from the page's world and delivers each to the worker once.

import type { Host } from 'gasoline-capture/core';
import { attempt } from 'gasoline-capture/natives';
import { installObservers } from 'gasoline-capture/observers';
import { toJson } from 'gasoline-capture/text';
import { joinLine, type Line, onNewcomer } from '../shared/bridge';
import { captureSettings } from '../shared/capture-settings';
import { type Delivery, type FromPage, HURRY, type ToContent, type ToPage, type Wanted } from '../shared/page-messages';
import { loadSettings, type Settings } from '../shared/settings';
import { judge } from '../shared/sites';

/** Pauses before the worker is tried again; it may still be starting. */
const RETRIES = [100, 500, 2_000];

/** A page that takes this long to load is hardly slowed down by us any more. */
const PATIENCE_MILLIS = 1_000;

// While the page loads, this script does as little as possible: it only holds the channel. The settings, Chrome's
// extension interface (which Chrome creates on first use) and the observers follow once the page has loaded, or when
// something cannot wait: an error, or the end of the page.
let joined = false;
joinLine((line) => {
  joined = true;
  let relay: Relay | undefined;
  const start = () => {
    relay ??= startRelay(line);
    return relay;
  };
  line.receive((text) => start().receive(text));
  // The extension was reloaded and its new scripts are coming: this copy ends, even if it has not started yet.
  onNewcomer(() => {
    if (!chrome.runtime?.id) start().makeRoom();
  });
  if (document.readyState === 'complete') return void start();
  addEventListener('load', () => setTimeout(start));
  setTimeout(start, PATIENCE_MILLIS);
});

interface Relay {
  receive(text: string): void;
  /** Called when the extension was reloaded and its new scripts are coming. */
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
    // Load times and snapshots of the page are rare, so each is sent by itself.
    emit: (event) => deliver({ events: [toJson(event)], dropped: 0, urgent: false, held: 0, pageId }),
    later: (work) => void requestIdleCallback(() => host.safely(work), { timeout: 1_000 }),
    safely: attempt,
  };

  function deliver(batch: FromPage): void {
    const delivery: Delivery = { type: 'deliver', from, number: number++, batch, unjudged: !judged };
    // The first attempt is made at once, even when the page is going away; only repeats wait for their turn.
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
      // The extension was reloaded or removed: this copy has no worker to talk to any more.
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
    // Confirms that this page has our scripts.
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

// If the page script was not injected together with this one, it has to be requested: in frames without an address, and
// in pages that were open before.
setTimeout(async () => {
  if (joined || !scriptsMayRun() || !isCaptured(await loadSettings())) return;
  const wanted: Wanted = { type: 'inject-page' };
  await chrome.runtime.sendMessage(wanted);
});

/**
 * Match patterns cannot express private addresses, so the scripts may be in a page that is not captured. A frame
 * without an address of its own belongs to the page around it.
 */
function isCaptured(settings: Settings): boolean {
  const address = /^https?:/.test(location.href) ? location.href : location.origin;
  return !/^https?:/.test(address) || judge(address, settings).captured;
}

/**
 * False in a sandbox without scripts. Nothing there tells us so, because our own world runs nevertheless. So a document
 * whose origin shows that it is in any sandbox is left alone.
 */
function scriptsMayRun(): boolean {
  const { frameElement } = window;
  if (frameElement?.hasAttribute('sandbox'))
    return (frameElement as HTMLIFrameElement).sandbox.contains('allow-scripts');
  return self.origin !== 'null';
}

/** Only values with the shape of a batch pass. */
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
