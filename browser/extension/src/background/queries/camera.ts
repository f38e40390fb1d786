// Takes screenshots of what is visible. Chrome allows two a second in total. While one query captures a whole page part
// by part, the others wait.

import { Failure } from './failure';

const GAP_MILLIS = 550;
const QUALITY = 85;

export interface Subject {
  id: number;
  windowId: number;
  url: string;
}

export class Camera {
  private turn: Promise<unknown> = Promise.resolve();
  private takenAt = 0;

  /** Waits for its turn, then takes a JPEG and returns it as a data URL. */
  shoot(subject: Subject): Promise<string> {
    return this.alone((shoot) => shoot(subject));
  }

  /** Runs work that takes several screenshots, and makes other queries wait until it is done. */
  alone<T>(work: (shoot: (subject: Subject) => Promise<string>) => Promise<T>): Promise<T> {
    const done = this.turn.then(() => work((subject) => this.take(subject)));
    this.turn = done.catch(() => {});
    return done;
  }

  private async take(subject: Subject): Promise<string> {
    const wait = this.takenAt + GAP_MILLIS - Date.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    await mustBeInFront(subject);
    this.takenAt = Date.now();
    const data = await chrome.tabs.captureVisibleTab(subject.windowId, { format: 'jpeg', quality: QUALITY });
    // The user may have switched tabs in the meantime, and a screenshot of another tab would be wrong.
    await mustBeInFront(subject);
    return data;
  }
}

async function mustBeInFront({ id, url }: Subject): Promise<void> {
  const tab = await chrome.tabs.get(id).catch(() => undefined);
  if (!tab) throw new Failure('TAB_NOT_FOUND', `Tab ${id} was closed.`);
  if (!tab.active) {
    throw new Failure('TAB_HIDDEN', `Tab ${id} is behind another tab of its window: only what is shown can be seen.`);
  }
  if (originOf(tab.url) !== originOf(url)) {
    throw new Failure('PAGE_CHANGED', `Tab ${id} went to another site before the screenshot was taken.`);
  }
}

function originOf(address: string | undefined): string {
  return URL.canParse(address ?? '') ? new URL(address ?? '').origin : '';
}
