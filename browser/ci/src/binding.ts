// Sends batches through a function that the test runner added to the page. The page's content security policy cannot
// block it.
//
// The runner cannot call this script without the page noticing, so the script asks for orders. A call with "ask" is
// answered when the runner has an order. The only order is to flush, and the next call with "ask" confirms it.

import type { FromPage, Order } from 'gasoline-capture/binding-messages';
import type { Batch, Capture } from 'gasoline-capture/index';
import { after, nowMillis, setTimer, stringify } from 'gasoline-capture/natives';
import type { Binding } from './config';
import { lossEntry, type PageTransport } from './transport';

/** Bodies of responses that just arrived are read from a copy, which takes a little time. */
const SECOND_LOOK_MILLIS = 30;

export interface BindingTransport extends PageTransport {
  /** The runner gave the window another function: replies to calls of the previous one get lost. */
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
      const all = dropped > 0 ? [...events, lossEntry(dropped, nowMillis(), location.href)] : events;
      if (all.length > 0) say({ pageId, events: all });
    },
    replace(binding) {
      carry = binding;
      ask();
    },
    // Batches are sent at once.
    leave() {},
  };
}

/** As JSON, even where a library gave arrays a `toJSON` method. */
function write(message: FromPage): string {
  if (!('events' in message)) return stringify(message);
  const events = message.events.map((event) => stringify(event)).join(',');
  return `{"pageId":${stringify(message.pageId)},"events":[${events}]}`;
}
