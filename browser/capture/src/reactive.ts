// Detects libraries on the page whose objects track who reads them.

import { clock } from './natives';

/** Looking up a missing name on the window is slow, and libraries are loaded once. */
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
