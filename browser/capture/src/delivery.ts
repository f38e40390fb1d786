// Decides what happens to a batch: it is done, sent again, halved, or given up. The extension's worker, the CI script
// and the Playwright fixture share these decisions. Each has its own queue, clock, requests and `BackOff`.

/** How the server answered a batch. */
export type Outcome =
  | 'stored'
  /** The server is running and asks for a pause. */
  | 'wait'
  | 'too-large'
  /** The server cannot parse the batch; sending it again would not help. */
  | 'refused'
  /** The server fails on this batch, or on every batch. */
  | 'broken'
  /** Retrying does not help against a wrong token or an unknown route. */
  | 'hopeless'
  /** The server did not answer. */
  | 'failed';

export type Step =
  /** The batch is finished; the next one is due. */
  | 'done'
  /** All entries of the batch are lost. */
  | 'drop'
  /** The batch is sent again after the pause. */
  | 'again'
  /** After the pause, an empty batch shows whether the server works; then `probed` decides. */
  | 'probe'
  /** The batch is sent in two halves. */
  | 'split'
  /** Another attempt would be pointless. */
  | 'end';

export interface Decision {
  step: Step;
  pause: number;
}

/** How long to wait after consecutive failures. */
export interface BackOff {
  /** The last attempt failed. */
  readonly isFailing: boolean;
  /** The pause, or `undefined` when another attempt would be pointless. */
  failed(): number | undefined;
  succeeded(): void;
}

/** How often the server may fail on a batch before its entries are examined. */
export const ATTEMPTS = 3;

export function outcomeOf(status: number): Outcome {
  if (status < 300) return 'stored';
  if (status >= 500) return 'broken';
  if (status === 429) return 'wait';
  if (status === 413) return 'too-large';
  if (status === 400 || status === 422) return 'refused';
  // Status 408: the body took too long to arrive.
  return status === 408 ? 'failed' : 'hopeless';
}

/** Waits for these pauses between attempts, then gives up. */
export function limitedBackOff(pauses: readonly number[]): BackOff {
  let failures = 0;
  return {
    get isFailing() {
      return failures > 0;
    },
    failed: () => pauses[failures++],
    succeeded() {
      failures = 0;
    },
  };
}

export interface Delivery {
  /** `entries`: how many the batch has. `wait`: the pause that the server asks for. */
  answered(outcome: Outcome, entries: number, wait?: number): Decision;
  /** Whether the server accepted an empty batch: if so, an entry of this batch makes it fail. */
  probed(isWell: boolean, entries: number): Decision;
  /**
   * True while the search for the entry that makes the server fail goes on; `left`: how many entries remain to be sent.
   */
  isSearching(left: number): boolean;
}

export function createDelivery(backOff: BackOff): Delivery {
  /** How often in a row the server failed on the batch in flight. */
  let broken = 0;
  /** Some entry makes the server fail, and the search for it is on. */
  let searching = false;

  const now = (step: Step): Decision => ({ step, pause: 0 });
  const later = (): Decision => {
    const pause = backOff.failed();
    return pause === undefined ? now('end') : { step: 'again', pause };
  };
  const well = (step: Step): Decision => {
    backOff.succeeded();
    broken = 0;
    return now(step);
  };

  return {
    answered(outcome, entries, wait = 0) {
      if (outcome === 'wait') return { step: 'again', pause: wait };
      if (outcome === 'hopeless') return now('end');
      if (outcome === 'failed') return later();
      if (outcome === 'broken') {
        // During the search, halves get one attempt each; the entry itself gets all attempts again.
        broken = searching && entries > 1 ? ATTEMPTS : broken + 1;
        return broken < ATTEMPTS ? later() : { step: 'probe', pause: backOff.failed() ?? 0 };
      }
      if (outcome === 'stored') return well('done');
      return well(outcome === 'too-large' && entries > 1 ? 'split' : 'drop');
    },
    probed(isWell, entries) {
      broken = 0;
      if (!isWell) return later();
      searching = entries > 1;
      return well(searching ? 'split' : 'drop');
    },
    isSearching(left) {
      searching &&= left > 0;
      return searching;
    },
  };
}
