// The line below a form that reports the result. It is a live region, so screen readers announce it.

import { setText } from '../popup/elements';

export function tell(element: HTMLElement, text: string, ok?: boolean): void {
  if (ok === undefined) delete element.dataset.ok;
  else element.dataset.ok = String(ok);
  setText(element, text);
}

/** Marks the input that a problem is about. */
export function markInvalid(input: HTMLInputElement, invalid: boolean): void {
  if (invalid) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}
