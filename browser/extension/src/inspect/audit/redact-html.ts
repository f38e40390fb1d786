// Removes from pieces of HTML what people typed into secret fields.

import { REDACTED_INPUT } from 'gasoline-capture/redact';

/**
 * Attributes can be cut short, with three dots at the end, and the beginning of a secret is secret, too. So is the
 * selected option of a list.
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
