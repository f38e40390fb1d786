// Batches over a function that the test runner put into the page. No policy of the page's stands in its way.
//
// The runner can't call us without being seen, so we ask it: a call that says "ask" is answered when it has an order. The
// only order there is: flush. The next question says that it was carried out.

import type { FromPage, Order } from 'gasoline-capture/binding-messages';
import type { Batch, Capture } from 'gasoline-capture/index';
import { after, nowMillis, setTimer, stringify } from 'gasoline-capture/natives';
import type { Binding } from './config';
import { lossEntry, type PageTransport } from './transport';

/** Bodies of answers that just came are read from a copy, which takes a moment. */
const SECOND_LOOK_MILLIS = 30;

export interface BindingTransport extends PageTransport {
  /** The runner gave the window another function: answers to the one before it go astray. */
  replace(binding: Binding): void;
}

export function bindingTransport(binding: Binding, capture: () => Capture | undefined): BindingTransport {
  let carry = binding;
  let pageId = '';

  function say(message: FromPage, answered: (answer: unknown) => void = () => {}): void {
    try {
      after(carry(write(message)), answered, () => {});
    } catch {
      // The runner is gone.
    }
  }

  function ask(done?: number): void {
    say({ pageId, ask: true, ...(done !== undefined && { done }) }, (answer) => {
      const order = (answer as Order | undefined)?.flush;
      if (typeof order === 'number') carryOut(order);
    });
  }

  function carryOut(order: number): void {
    capture()?.flush();
    setTimer(() => {
      capture()?.flush();
      ask(order);
    }, SECOND_LOOK_MILLIS);
  }

  return {
    named(id) {
      pageId = id;
      ask();
    },
    send({ events, dropped }: Batch) {
      const told = dropped > 0 ? [...events, lossEntry(dropped, nowMillis(), location.href)] : events;
      if (told.length > 0) say({ pageId, events: told });
    },
    replace(binding) {
      carry = binding;
      ask();
    },
    // Batches are handed over at once.
    leave() {},
  };
}

/** As JSON, also where a library gave arrays a `toJSON` of their own. */
function write(message: FromPage): string {
  if (!('events' in message)) return stringify(message);
  const events = message.events.map((event) => stringify(event)).join(',');
  return `{"pageId":${stringify(message.pageId)},"events":[${events}]}`;
}
