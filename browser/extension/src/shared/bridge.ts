// The private channel between our script in the page's world and our content script.
//
// The two share only the page's DOM. The page script creates an element that is never put into the document, and passes
// it to the content script as the `relatedTarget` of a focus event, before any of the page's own code runs. Code
// without that element can neither listen nor send, and the events on it have a random name. (Of the events that carry
// an element, a focus event is the cheapest for the browser to create.)

import { guarded } from 'gasoline-capture/natives';

// Taken now: a page that replaces it later would otherwise be handed the channel.
const { apply } = Reflect;

const HELLO = 'gasoline:hello';
const READY = 'gasoline:ready';

export interface Line {
  send(text: string): void;
  receive(listener: (text: string) => void): void;
}

/** The page script's side: creates the channel. */
export function openLine(): Line {
  const node = document.createElementNS('http://www.w3.org/1999/xhtml', 'i') as HTMLElement;
  const name = crypto.getRandomValues(new Uint32Array(4)).join('');
  const { dispatchEvent, addEventListener } = EventTarget.prototype;
  const NativeEvent = CustomEvent;
  const NativeFocusEvent = FocusEvent;
  const dispatch = (target: EventTarget, event: Event) => apply(dispatchEvent, target, [event]);
  node.title = name;
  const show = () => dispatch(document, new NativeFocusEvent(HELLO, { relatedTarget: node }));
  // The two scripts find each other whichever runs first; after that no other script can join.
  let met = false;
  const again = () => {
    if (!met) show();
  };
  apply(addEventListener, document, [READY, again]);
  apply(addEventListener, node, [
    `${name}-met`,
    () => {
      met = true;
      document.removeEventListener(READY, again);
    },
  ]);
  show();
  return {
    send: (text) => dispatch(node, new NativeEvent(`${name}-up`, { detail: text })),
    receive: (listener) =>
      apply(addEventListener, node, [
        `${name}-down`,
        guarded((event: CustomEvent<unknown>) => {
          if (typeof event.detail === 'string') listener(event.detail);
        }),
      ]),
  };
}

/** Calls back when another content script of ours starts in this page. */
export function onNewcomer(listener: () => void): void {
  document.addEventListener(READY, listener);
}

/** The content script's side: joins the channel when it is offered. */
export function joinLine(joined: (line: Line) => void): void {
  const take = (event: Event) => {
    const node = (event as FocusEvent).relatedTarget;
    if (!(node instanceof HTMLElement) || node.isConnected || !/^\d{10,44}$/.test(node.title)) return;
    document.removeEventListener(HELLO, take);
    const name = node.title;
    node.title = '';
    node.dispatchEvent(new CustomEvent(`${name}-met`));
    joined({
      send: (text) => node.dispatchEvent(new CustomEvent(`${name}-down`, { detail: text })),
      receive: (listener) =>
        node.addEventListener(`${name}-up`, (up) => {
          const { detail } = up as CustomEvent<unknown>;
          if (typeof detail === 'string') listener(detail);
        }),
    });
  };
  document.addEventListener(HELLO, take);
  document.dispatchEvent(new CustomEvent(READY));
}
