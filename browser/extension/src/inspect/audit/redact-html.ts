// Pieces of HTML without what people typed into secret fields.

import { REDACTED_INPUT } from '../../../../capture/src/redact';
import { attribute, find, localNameOf, textContentOf } from '../dom';
import { placesOf } from '../places';
import { isSecret } from '../secrets';

/** What the secret fields of this frame hold in their markup. */
export function secretsOf(document: Document): string[] {
  const secrets = new Set<string>();
  for (const { root, frame } of placesOf(document).places) {
    if (frame !== undefined) continue;
    for (const element of find(root, 'input, textarea, select, [type="password" i], [autocomplete]')) {
      if (!isSecret(element)) continue;
      secrets.add(attribute(element, 'value') ?? '');
      if (localNameOf(element) === 'textarea') secrets.add(textContentOf(element) ?? '');
      for (const option of element.querySelectorAll('option')) secrets.add(attribute(option, 'value') ?? '');
    }
  }
  secrets.delete('');
  return [...secrets];
}

/**
 * Attributes can be cut short, with three dots at the end: the beginning of a secret is a secret too. So is which option is
 * the selected one.
 */
export function redactHtml(html: string, secrets: string[]): string {
  if (secrets.length === 0) return html;
  const known = secrets.flatMap((secret) => [secret, escaped(secret)]);
  const holdsSecret = (text: string) => {
    const shown = text.replace(/(\.\.\.|…)$/, '');
    return shown !== '' && known.some((secret) => secret === text || (shown !== text && secret.startsWith(shown)));
  };
  return html
    .replace(/ selected(="")?(?=[ >])/g, '')
    .replace(/="([^"]*)"/g, (whole, value: string) => (holdsSecret(value) ? `="${REDACTED_INPUT}"` : whole))
    .replace(/(<textarea\b[^>]*>)([^<]*)/gi, (whole, tag: string, text: string) =>
      known.some((secret) => text !== '' && secret.trim().startsWith(text.trim())) ? tag + REDACTED_INPUT : whole,
    );
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
