// One notice for each problem: large annotations, high memory, lost events.

import { ask, type PopupState } from '../shared/messages';
import { plural } from './counts';
import { hook, onClick, setText, show } from './elements';

let dismissed = false;

export function bindNotices(): void {
  onClick('dismiss-annotation-warning', async () => {
    dismissed = true;
    show(hook('annotation-warning'), false);
    // The button disappears with the warning, so move the focus to the next element.
    document.querySelector<HTMLElement>('input[name="captureLevel"]:checked, #captureConsole')?.focus();
    await ask({ type: 'dismiss-annotation-warning' }).catch(() => {});
  });
}

export function showNotices({ annotationWarning, memory, accounting }: PopupState): void {
  // A state that was in flight when the user dismissed the warning must not show it again.
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
    `Context annotations add ${Math.round(kilobytes)} KB to each error. ` +
    'This uses a lot of the AI context window. Use fewer or smaller annotations.'
  );
}

export function memoryText({ megabytes, state }: PopupState['memory']): string {
  const size = `${Math.round(megabytes)} MB`;
  if (state === 'soft') return `Memory is high (${size}): buffers were halved, so fewer entries are kept.`;
  if (state === 'hard') return `Memory is very high (${size}): network bodies are not captured until it drops.`;
  return '';
}

export function accountingText({ dropped, rejected }: PopupState['accounting']): string {
  const lines: string[] = [];
  if (dropped) lines.push(`${were(dropped)} dropped because the queue was full.`);
  if (rejected) lines.push(`${were(rejected)} rejected by the server.`);
  return lines.join(' ');
}

function were(count: number): string {
  return `${plural(count, 'event')} ${count === 1 ? 'was' : 'were'}`;
}
