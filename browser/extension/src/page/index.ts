// Runs in the page's own world at document start, before any of the page's code.

import { startCapture } from 'gasoline-capture/index';
import { attempt, parse, remove, stringify } from 'gasoline-capture/natives';
import { version } from '../../package.json';
import { openLine } from '../shared/bridge';
import { type FromPage, HURRY, type ToPage } from '../shared/page-messages';

const flags = window as { __gasolineBodies?: boolean; __gasoline?: unknown };
const bodies = flags.__gasolineBodies === true;
remove(window, '__gasolineBodies');

// A page that was open when its site was switched on may get this script twice. Plain text and data that the browser
// displays itself have no code to capture, and the browser's viewers notice an element that is created in them.
if (!flags.__gasoline && /html|svg/.test(document.contentType)) attempt(start);

/** As JSON, even where a library gave arrays a `toJSON` method. */
function write({ events, ...rest }: FromPage): string {
  return `{"events":[${events.map((event) => stringify(event)).join(',')}],${stringify(rest).slice(1)}`;
}

function start(): void {
  const line = openLine();
  const capture = startCapture(
    {
      send: (batch) => line.send(write({ ...batch, pageId: capture.pageId })),
      hurry: () => line.send(HURRY),
    },
    version,
    // The first error must not wait for the settings, which may differ.
    { reactSnapshot: true, bodies: bodies ? 'all' : 'none' },
  );
  line.receive((text) => {
    const message = parse(text) as ToPage;
    if ('stop' in message) capture.stop();
    else capture.configure(message.settings);
  });
}
