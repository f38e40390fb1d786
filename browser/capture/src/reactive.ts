// Libraries on the page whose objects note who reads them.

import { clock } from './natives';

/** Asking the window for a name it lacks is slow, and libraries come but once. */
const FRESH_MILLIS = 200;

let asked = Number.NEGATIVE_INFINITY;
let found = { vue: false, others: false };

export function reactiveLibraries(): { vue: boolean; others: boolean } {
  const now = clock();
  if (now - asked > FRESH_MILLIS) {
    asked = now;
    found = {
      vue: '__VUE__' in window,
      others: '__svelte' in window || '__mobxGlobals' in window || '__mobxInstanceCount' in window,
    };
  }
  return found;
}
