// What the page shows at one time: its main headings and the elements that tests look for. A snapshot is taken after
// loads and route changes, and after actions that changed the page.

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

/** The search ends after this time, with what it has found. */
const BUDGET_MILLIS = 2;
const AT_LEAST = 8;
const ELEMENTS = 'h1, h2, [data-testid], [role="alert"], [role="status"], [role="dialog"], dialog[open]';
/** A page that changes its address all the time still gets a snapshot after this delay. */
const PUT_OFF_MILLIS = 1_000;

export function installDomSnapshots(host: Host, { onLoad, onRoute }: Moments): void {
  let last = 0;
  let due = 0;
  let latest = 0;
  let shown = '';
  /** The page changed, and the snapshot does not wait for a load or a route change. */
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
  // Events while a snapshot is pending postpone it: one taken too early would show the previous page.
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
      // What the page shows now is the result of the previous action.
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
      // A few elements are always checked: time may have passed because another process had the processor.
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
