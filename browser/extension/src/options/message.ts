// The line below a form that tells how it went; a live region, so it is read out.

import { setText } from '../popup/elements';

export function tell(element: HTMLElement, text: string, ok?: boolean): void {
  if (ok === undefined) delete element.dataset.ok;
  else element.dataset.ok = String(ok);
  setText(element, text);
}

/** Ties a problem to the input that it is about. */
export function markInvalid(input: HTMLInputElement, invalid: boolean): void {
  if (invalid) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}
