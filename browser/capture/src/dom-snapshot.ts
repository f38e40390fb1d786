// What the page shows at a moment: its main headings and the elements that tests look for. It is taken after loads and
// route changes, and after actions that changed the page.

import type { Host } from './core';
import {
  SNAPSHOT_AFTER_CHANGE_MILLIS,
  SNAPSHOT_AFTER_LOAD_MILLIS,
  SNAPSHOT_AFTER_ROUTE_MILLIS,
  SNAPSHOT_ELEMENTS,
  SNAPSHOT_GAP_MILLIS,
  SNAPSHOT_HEADINGS,
  SNAPSHOT_TEXT_CHARS,
} from './limits.gen';
import { attribute, clock, nowMillis, setTimer, stringify } from './natives';
import type { Moments } from './observers';
import { watchPageChanges } from './page-changes';
import { implicitRole } from './selectors';
import { cut } from './text';
import type { SnapshotElement } from './wire.gen';

/** Looking takes no longer than this; what was found by then is what is shown. */
const BUDGET_MILLIS = 2;
const AT_LEAST = 8;
const ELEMENTS = 'h1, h2, [data-testid], [role="alert"], [role="status"], [role="dialog"], dialog[open]';
/** A page that changes its address all the time is looked at nevertheless. */
const PUT_OFF_MILLIS = 1_000;

export function installDomSnapshots(host: Host, { onLoad, onRoute }: Moments): void {
  let last = 0;
  let due = 0;
  let latest = 0;
  let shown = '';
  /** The page changed, and neither a load nor a route is what is waited for. */
  let isChange = false;
  const look = () => {
    due = 0;
    const onlyIfNew = isChange;
    isChange = false;
    changes.resume();
    if (host.alive) host.safely(() => take(onlyIfNew));
    last = clock();
  };
  const wait = () =>
    setTimer(() => {
      if (!due) return;
      if (due > clock()) wait();
      else look();
    }, due - clock());
  // What happens while a look is awaited puts it off: one that comes too early shows the page before.
  const soon = (delay: number) => {
    const wanted = Math.max(clock() + delay, last + SNAPSHOT_GAP_MILLIS);
    if (due) due = Math.min(wanted, latest);
    else {
      due = wanted;
      latest = due + PUT_OFF_MILLIS;
      wait();
    }
  };
  const changes = watchPageChanges(
    host,
    () => {
      // What the page shows now belongs to the action before.
      if (isChange && due && clock() - last >= SNAPSHOT_GAP_MILLIS) look();
    },
    () => {
      isChange ||= !due;
      soon(SNAPSHOT_AFTER_CHANGE_MILLIS);
    },
  );
  const certainly = (delay: number) => {
    isChange = false;
    soon(delay);
  };
  onLoad(() => certainly(SNAPSHOT_AFTER_LOAD_MILLIS));
  onRoute(() => certainly(SNAPSHOT_AFTER_ROUTE_MILLIS));

  function take(onlyIfNew: boolean): void {
    const deadline = clock() + BUDGET_MILLIS;
    const elements: SnapshotElement[] = [];
    let headings = 0;
    let looked = 0;
    for (const element of document.querySelectorAll(ELEMENTS)) {
      // A few are always looked at: the time may have gone by while another process had the processor.
      if (elements.length >= SNAPSHOT_ELEMENTS || (++looked > AT_LEAST && clock() > deadline)) break;
      const isHeading = /^h[12]$/.test(element.localName);
      const testId = attribute(element, 'data-testid');
      if (isHeading && testId === null && headings >= SNAPSHOT_HEADINGS) continue;
      const text = (element.textContent ?? '').slice(0, 1_000).replace(/\s+/g, ' ').trim();
      if (!text || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (isHeading) headings++;
      const role = attribute(element, 'role') ?? implicitRole(element);
      elements.push({
        ...(role && { role }),
        ...(isHeading && { level: Number(element.localName[1]) }),
        text: cut(text, SNAPSHOT_TEXT_CHARS),
        ...(testId !== null && { testId }),
        visible: true,
      });
    }
    const text = `${location.href} ${stringify(elements)}`;
    if (onlyIfNew && text === shown) return;
    shown = text;
    host.emit({ type: 'dom_snapshot', ts: nowMillis(), url: location.href, title: cut(document.title, 200), elements });
  }
}
