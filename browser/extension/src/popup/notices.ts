// One line each for what went less well than expected: heavy annotations, memory, lost events.

import { ask, type PopupState } from '../shared/messages';
import { plural } from './counts';
import { hook, onClick, setText, show } from './elements';

let dismissed = false;

export function bindNotices(): void {
  onClick('dismiss-annotation-warning', async () => {
    dismissed = true;
    show(hook('annotation-warning'), false);
    // The button is gone with the warning; the focus goes to what comes next instead of being lost.
    document.querySelector<HTMLElement>('input[name="captureLevel"]:checked, #captureConsole')?.focus();
    await ask({ type: 'dismiss-annotation-warning' }).catch(() => {});
  });
}

export function showNotices({ annotationWarning, memory, accounting }: PopupState): void {
  // A state that was on its way while the user dismissed must not bring it back.
  if (!annotationWarning) dismissed = false;
  const warning = hook('annotation-warning');
  if (annotationWarning) {
    const text = annotationText(annotationWarning.kilobytes);
    setText(hook('annotation-text'), text);
    warning.title = text;
  }
  show(warning, annotationWarning !== null && !dismissed);

  setText(hook('memory-text'), memoryText(memory));
  show(hook('memory'), memory.state !== 'normal');

  const lost = accountingText(accounting);
  setText(hook('accounting-text'), lost);
  show(hook('accounting'), lost !== '');
  show(
    hook('notices'),
    ['annotation-warning', 'memory', 'accounting'].some((name) => !hook(name).hidden),
  );
}

export function annotationText(kilobytes: number): string {
  return (
    `Context annotations are adding ${Math.round(kilobytes)}KB per error entry. ` +
    'This may consume significant AI context window. Consider reducing annotation keys or values.'
  );
}

export function memoryText({ megabytes, state }: PopupState['memory']): string {
  const size = `${Math.round(megabytes)} MB`;
  if (state === 'soft') return `Memory is high (${size}): buffers were halved, so less of the past is kept.`;
  if (state === 'hard') return `Memory is very high (${size}): network bodies are not captured until it falls.`;
  return '';
}

export function accountingText({ dropped, rejected }: PopupState['accounting']): string {
  const lines: string[] = [];
  if (dropped) lines.push(`${were(dropped)} dropped for lack of room.`);
  if (rejected) lines.push(`${were(rejected)} refused by the server.`);
  return lines.join(' ');
}

function were(count: number): string {
  return `${plural(count, 'event')} ${count === 1 ? 'was' : 'were'}`;
}
