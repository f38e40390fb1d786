import { attribute, find, localNameOf, textContentOf } from '../dom';
import { placesOf } from '../places';
import { isSecret } from '../secrets';

/** What the secret fields of this frame contain in their markup. */
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
