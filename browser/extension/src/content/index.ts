// The relay: takes batches from the page's world and hands each to the worker once.

import { joinLine, onNewcomer } from '../shared/bridge';
import { captureSettings } from '../shared/capture-settings';
import type { Delivery, FromPage, ToContent, ToPage } from '../shared/page-messages';
import { loadSettings } from '../shared/settings';
import { judge } from '../shared/sites';

/** Pauses before the worker is tried again; it may just be starting. */
const RETRIES = [100, 500, 2_000];

joinLine((line) => {
  const from = crypto.getRandomValues(new Uint32Array(2)).join('-');
  let number = 0;
  let chain = Promise.resolve();
  let ended = false;

  const tell = (message: ToPage) => line.send(JSON.stringify(message));
  const end = () => {
    ended = true;
    tell({ stop: true });
  };

  line.receive((text) => {
    if (ended) return;
    const batch = read(text);
    if (!batch) return;
    const delivery: Delivery = { type: 'deliver', from, number: number++, batch };
    // The first attempt is made at once, also when the page is going away; only repeats wait for their turn.
    const first = hand(delivery);
    chain = chain.then(async () => {
      if (await first) return;
      for (const pause of RETRIES) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        if (ended || (await hand(delivery))) return;
      }
    });
  });

  chrome.runtime.onMessage.addListener((message: ToContent, _, reply) => {
    if (message?.type !== 'configure' || ended) return;
    if ('stop' in message.to) end();
    else tell(message.to);
    // Says that this page is taken care of.
    reply(true);
  });
  // The extension was reloaded and its new scripts are coming: this copy makes room.
  onNewcomer(() => {
    if (!ended && !chrome.runtime?.id) end();
  });

  async function hand(delivery: Delivery): Promise<boolean> {
    try {
      return (await chrome.runtime.sendMessage(delivery)) === true;
    } catch {
      // The extension was reloaded or removed: this copy of it has nobody to talk to any more.
      if (!chrome.runtime?.id) end();
      return false;
    }
  }

  void begin(tell, end);
});

async function begin(tell: (message: ToPage) => void, end: () => void): Promise<void> {
  try {
    const settings = await loadSettings();
    // Private addresses can't be told by a match pattern, so the scripts may be in a page that is none of ours. A frame
    // without an address of its own belongs to the page around it.
    const address = /^https?:/.test(location.href) ? location.href : location.origin;
    if (/^https?:/.test(address) && !judge(address, settings).captured) return end();
    tell({ settings: captureSettings(settings, 'normal') });
  } catch {
    end();
  }
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
