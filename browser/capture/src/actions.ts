// User actions: clicks, typing, keys, forms, selections, scrolling and navigation between pages.

import type { CaptureEvent, Core } from './core';
import { ACTION_ENTRIES, SCROLL_THROTTLE_MILLIS } from './limits.gen';
import { attribute, clearTimer, isA, listen, nowMillis, setTimer } from './natives';
import { patch } from './patch';
import { isSensitive, REDACTED_INPUT, rememberPasswords } from './redact';
import { watchRoutes } from './routes';
import { computeSelectors, meaningful, visibleText } from './selectors';
import { cut } from './text';

type ActionEvent = Extract<CaptureEvent, { type: 'action' }>;
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Typing is one action, sent when the user pauses or does something else. */
const TYPING_PAUSE_MILLIS = 500;
const KEYS = new Set(['Enter', 'Escape', 'Tab']);
const VALUE_CHARS = 1_000;

export interface Actions {
  /** The most recent actions, newest last. */
  recent: ActionEvent[];
  /** The target and the time of the last action. */
  target(): [Element | undefined, number];
  /** Adds the listeners again after `document.open` removed them. */
  listen(): void;
}

export function installActions(core: Core): Actions {
  const recent: ActionEvent[] = [];
  let typing: { field: Field | HTMLElement; timer: number; at: number } | undefined;
  let enterAt = 0;
  let lastClick: { at: number; label: Element | null } = { at: 0, label: null };
  let scrolledAt = 0;
  /** A weak reference: the page may remove the element, and a strong one would keep it and its subtree in memory. */
  let target: WeakRef<Element> | undefined;
  let targetAt = 0;

  const on = <E extends Event>(type: string, work: (event: E, target: Element | null) => void) => {
    const listener = (event: E) => {
      if (!core.alive || !core.switches.actions) return;
      // Events that the page's code dispatches are not user actions. The exception: automation selects options that
      // way.
      if (!event.isTrusted && type !== 'change') return;
      core.intercept(() => {
        const element = targetOf(event);
        if (element && type !== 'scroll') {
          target = new WeakRef(element);
          targetAt = nowMillis();
        }
        work(event, element);
      });
    };
    return () => listen<E>(window, type, listener, { capture: true, passive: true });
  };

  const listeners = [
    on<MouseEvent>('click', (event, target) => {
      if (!target) return;
      rememberPasswords(target.closest('form') ?? (target.getRootNode() as Document | ShadowRoot));
      finishTyping();
      // Enter in a form, and a click on a label, make the browser click once more: one action, not two.
      if (event.detail === 0 && event.timeStamp - enterAt < 100) return;
      const viaLabel = lastClick.label && (lastClick.label as HTMLLabelElement).control === target;
      if (viaLabel && event.timeStamp - lastClick.at < 5) return;
      lastClick = { at: event.timeStamp, label: target.closest('label') };
      const element = meaningful(target);
      const text = visibleText(element);
      send('click', {
        selectors: computeSelectors(element),
        position: { x: Math.round(event.clientX), y: Math.round(event.clientY) },
        ...(text && { text }),
        ...(/^(checkbox|radio)$/.test((target as HTMLInputElement).type) && {
          checked: (target as HTMLInputElement).checked,
        }),
      });
    }),
    on('input', (_, target) => {
      if (!isField(target) && !(isA(target, HTMLElement) && target.isContentEditable)) return;
      if (isA(target, HTMLSelectElement)) return;
      if (isA(target, HTMLInputElement) && /^(checkbox|radio|file|button|submit)$/.test(target.type)) return;
      if (typing && typing.field !== target) finishTyping();
      // Checked now: the field may show its value as plain text before the user pauses.
      if (isField(target)) isSensitive(target);
      if (typing) clearTimer(typing.timer);
      typing = {
        field: target,
        at: nowMillis(),
        timer: setTimer(() => core.safely(finishTyping), TYPING_PAUSE_MILLIS),
      };
    }),
    on('change', (_, target) => {
      const isSelect = isA(target, HTMLSelectElement);
      if (isSelect || typing?.field === target) finishTyping();
      if (!isSelect) return;
      const sensitive = isSensitive(target);
      const options = [...target.selectedOptions];
      send('select', {
        selectors: computeSelectors(target),
        inputType: target.type,
        selectedValue: sensitive ? REDACTED_INPUT : cut(options.map((option) => option.value).join(','), VALUE_CHARS),
        selectedText: sensitive ? REDACTED_INPUT : cut(options.map((option) => option.text).join(', '), VALUE_CHARS),
      });
    }),
    on<SubmitEvent>('submit', (_, target) => {
      if (!isA(target, HTMLFormElement)) return;
      finishTyping();
      send('submit', {
        selectors: computeSelectors(target),
        // A field named "action" shadows the form's property of that name.
        formAction: new URL(attribute(target, 'action') ?? '', document.baseURI).href,
        method: (attribute(target, 'method') ?? 'get').toUpperCase(),
      });
    }),
    on<KeyboardEvent>('keydown', (event, target) => {
      if (!KEYS.has(event.key) || event.repeat || !target) return;
      finishTyping();
      if (event.key === 'Enter') enterAt = event.timeStamp;
      send('keypress', { selectors: computeSelectors(target), key: event.key });
    }),
    on('scroll', (event, target) => {
      const now = nowMillis();
      if (now - scrolledAt < SCROLL_THROTTLE_MILLIS) return;
      scrolledAt = now;
      // The last position of a scroll counts, not its first.
      setTimer(() => {
        if (!core.alive) return;
        core.safely(() => {
          const scroller = event.target === document ? null : target;
          send('scroll', {
            scrollX: Math.round(scroller?.scrollLeft ?? window.scrollX),
            scrollY: Math.round(scroller?.scrollTop ?? window.scrollY),
            ...(scroller && { target: computeSelectors(scroller).cssPath ?? null }),
          });
        });
      }, SCROLL_THROTTLE_MILLIS);
    }),
  ];

  watchRoutes(
    core,
    (fromUrl, toUrl) => {
      finishTyping();
      if (core.switches.actions) send('navigate', { fromUrl, toUrl });
    },
    patch,
  );
  // Typing that has not been reported yet would be lost with the page.
  listen(window, 'pagehide', () => void core.safely(finishTyping));

  function finishTyping(): void {
    if (!typing) return;
    const { field, timer, at } = typing;
    typing = undefined;
    clearTimer(timer);
    const plain = isField(field);
    const value = plain ? field.value : (field.textContent ?? '');
    send('input', {
      ts: at,
      selectors: computeSelectors(field),
      inputType: plain ? field.type : 'contenteditable',
      value: plain && isSensitive(field) ? REDACTED_INPUT : cut(value, VALUE_CHARS),
      ...(plain && field.name && { name: field.name }),
      ...(plain && field.autocomplete && { autocomplete: field.autocomplete }),
    });
  }

  function send(kind: string, fields: Partial<ActionEvent>): void {
    const event: ActionEvent = { type: 'action', action_type: kind, ts: nowMillis(), url: location.href, ...fields };
    recent.push(event);
    if (recent.length > ACTION_ENTRIES) recent.shift();
    core.emit(event);
  }

  const start = () => {
    for (const begin of listeners) begin();
  };
  start();
  return { recent, target: () => [target?.deref(), targetAt], listen: start };
}

/** The actual target, even inside an open shadow root. */
function targetOf(event: Event): Element | null {
  const target = event.composedPath()[0] ?? event.target;
  return isA(target, Element) ? target : null;
}

function isField(element: unknown): element is Field {
  return isA(element, HTMLInputElement) || isA(element, HTMLTextAreaElement) || isA(element, HTMLSelectElement);
}
