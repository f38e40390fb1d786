// What becomes of a batch: it is done, sent again, halved, or given up. The extension's worker, the CI script and the
// Playwright fixture decide alike. Each of them keeps its own queue, clock and request, and its own `BackOff`.

/** How the server answered a batch. */
export type Outcome =
  | 'stored'
  /** The server is there and asks for a pause. */
  | 'wait'
  | 'too-large'
  /** It can't make sense of the batch; sending it again would not help. */
  | 'refused'
  /** It breaks on this batch, or on every one. */
  | 'broken'
  /** Wrong tokens and unknown routes don't get better by trying again. */
  | 'hopeless'
  /** No answer. */
  | 'failed';

export type Step =
  /** The batch is gone; the next one is due. */
  | 'done'
  /** All entries of the batch are lost. */
  | 'drop'
  /** The batch is sent again after the pause. */
  | 'again'
  /** After the pause an empty batch shows whether the server is well; then `probed` decides. */
  | 'probe'
  /** The batch goes in two halves. */
  | 'split'
  /** There is no point in another attempt. */
  | 'end';

export interface Decision {
  step: Step;
  pause: number;
}

/** How long to wait after failures in a row. */
export interface BackOff {
  /** The last attempt failed. */
  readonly isFailing: boolean;
  /** The pause, or `undefined` when there is no point in another attempt. */
  failed(): number | undefined;
  succeeded(): void;
}

/** So often the server may break on a batch before its entries are looked at. */
export const ATTEMPTS = 3;

export function outcomeOf(status: number): Outcome {
  if (status < 300) return 'stored';
  if (status >= 500) return 'broken';
  if (status === 429) return 'wait';
  if (status === 413) return 'too-large';
  if (status === 400 || status === 422) return 'refused';
  // The body took too long to arrive.
  return status === 408 ? 'failed' : 'hopeless';
}

/** These pauses between attempts, and then no more. */
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
  /** `entries`: how many the batch has. `wait`: how long the server asks us to wait. */
  answered(outcome: Outcome, entries: number, wait?: number): Decision;
  /** Whether the server took an empty batch: if so, something in this one makes it break. */
  probed(isWell: boolean, entries: number): Decision;
  /** An entry that makes the server break is being looked for among those that still wait. */
  isSearching(left: number): boolean;
}

export function createDelivery(backOff: BackOff): Delivery {
  /** How often in a row the server broke on the batch that is on its way. */
  let broken = 0;
  /** Some entry makes the server break, and it is being looked for. */
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
        // While an entry is looked for, halves have one attempt each; the entry itself has all of them again.
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
