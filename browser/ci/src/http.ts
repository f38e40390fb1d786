// Sends batches by `fetch`, straight to the server: one at a time and in order, and all at once when the page is
// unloaded. An unreachable server costs a page three attempts and nothing else.

import { createDelivery, type Decision, limitedBackOff, outcomeOf } from 'gasoline-capture/delivery';
import type { Batch } from 'gasoline-capture/index';
import { CI_BATCH_ENTRIES, CI_BATCH_MILLIS, CI_QUEUE_BYTES, CI_QUEUE_ENTRIES } from 'gasoline-capture/limits.gen';
import { after, nowMillis, parse, randomId, reflect, setTimer, stringify } from 'gasoline-capture/natives';
import { createMapBringer } from 'gasoline-capture/source-maps';
import type { SyncReply } from 'gasoline-capture/wire.gen';
import type { CiConfig } from './config';
import { lossEntry, type PageTransport } from './transport';

/** Pauses after the first and the second failure in a row; after the third, capture ends. */
const PAUSES = [1_000, 4_000];
/** Browsers allow at most 64 KB in flight for requests that outlive the page. */
const KEEPALIVE_BYTES = 60_000;
const TIMEOUT_MILLIS = 10_000;

interface Outgoing {
  id: string;
  events: string[];
}

/** `stop`: called when no server will take what is captured. */
export function httpTransport(server: string, config: CiConfig, stop: () => void): PageTransport {
  const nativeFetch = window.fetch;
  const { timeout } = AbortSignal;
  let pageId = '';
  let waiting: string[] = [];
  let bytes = 0;
  let dropped = 0;
  let busy = false;
  let due = false;
  let over = false;
  let notBefore = 0;
  let underWay = 0;
  const backOff = limitedBackOff(PAUSES);
  const delivery = createDelivery(backOff);

  const request = (path: string, body: string, leaving: boolean): Promise<Response> => {
    const keepalive = underWay + body.length <= KEEPALIVE_BYTES;
    if (keepalive) underWay += body.length;
    const answer = reflect.apply(nativeFetch, window, [
      server + path,
      {
        method: 'POST',
        body,
        headers: {
          'Content-Type': 'application/json',
          ...(config.token && { Authorization: `Bearer ${config.token}` }),
        },
        keepalive,
        mode: 'cors',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        // An unloaded page takes its timers with it.
        ...(!leaving && { signal: reflect.apply(timeout, AbortSignal, [TIMEOUT_MILLIS]) }),
      },
    ]) as Promise<Response>;
    const arrived = () => {
      if (keepalive) underWay -= body.length;
    };
    after(answer, arrived, arrived);
    return answer;
  };
  const maps = createMapBringer(
    (url, init) => reflect.apply(nativeFetch, window, [url, init]) as Promise<Response>,
    (upload) => void after(request('/source-maps', stringify({ ...upload, page_id: pageId }), false), nothing, nothing),
  );

  function schedule(millis: number): void {
    if (due || busy || over || waiting.length === 0) return;
    due = true;
    setTimer(
      () => {
        due = false;
        next();
      },
      Math.max(millis, notBefore - nowMillis()),
    );
  }

  function take(): Outgoing {
    const events = waiting.splice(0, CI_BATCH_ENTRIES);
    bytes -= events.reduce((sum, { length }) => sum + length, 0);
    return { id: newId(), events };
  }

  function next(): void {
    if (busy || over || waiting.length === 0) return;
    busy = true;
    attempt(take());
  }

  function attempt(batch: Outgoing): void {
    const { length } = batch.events;
    after(
      post(batch, false),
      (response) => {
        const { status } = response;
        carryOut(batch, delivery.answered(outcomeOf(status), length, PAUSES[0]));
        if (status === 200) after(response.text(), readReply, nothing);
      },
      () => carryOut(batch, delivery.answered('failed', length)),
    );
  }

  /** If the server accepts an empty batch, it works, and something in this batch makes it fail. */
  function probe(batch: Outgoing): void {
    const judge = (isWell: boolean) => carryOut(batch, delivery.probed(isWell, batch.events.length));
    after(
      post({ id: newId(), events: [] }, false),
      ({ ok }) => judge(ok),
      () => judge(false),
    );
  }

  function post(batch: Outgoing, leaving: boolean): Promise<Response> {
    const tags = stringify({
      batch_id: batch.id,
      page_id: pageId,
      timestamp: nowMillis(),
      ...(config.testId !== undefined && { test_id: config.testId }),
      ...(config.worker !== undefined && { worker: String(config.worker) }),
    });
    return request('/sync', `${tags.slice(0, -1)},"events":[${batch.events.join(',')}]}`, leaving);
  }

  function carryOut(batch: Outgoing, { step, pause }: Decision): void {
    const { events } = batch;
    if (step === 'end') return end();
    if (step === 'again') return wait(pause, () => attempt(batch));
    if (step === 'probe') return wait(pause, () => probe(batch));
    if (step === 'split') {
      const half = Math.ceil(events.length / 2);
      const rest = events.slice(half);
      waiting = [...rest, ...waiting];
      bytes += rest.reduce((sum, { length }) => sum + length, 0);
      return attempt({ id: newId(), events: events.slice(0, half) });
    }
    if (step === 'drop') dropped += events.length;
    busy = false;
    schedule(delivery.isSearching(waiting.length) ? 0 : CI_BATCH_MILLIS);
  }

  function readReply(text: string): void {
    try {
      const { source_maps_wanted } = parse(text) as SyncReply;
      if (source_maps_wanted) after(maps.bring(source_maps_wanted), nothing, nothing);
    } catch {
      // Another program's answer; its status will sooner or later show that.
    }
  }

  function wait(pause: number, work: () => void): void {
    if (pause === 0) return work();
    notBefore = nowMillis() + pause;
    setTimer(() => {
      if (!over) work();
    }, pause);
  }

  function end(): void {
    over = true;
    waiting = [];
    bytes = 0;
    stop();
  }

  return {
    named(id) {
      pageId = id;
    },
    send({ events, dropped: lost, urgent }: Batch) {
      if (over) return;
      for (const event of events) {
        waiting.push(event);
        bytes += event.length;
      }
      dropped += lost;
      while (waiting.length > CI_QUEUE_ENTRIES || bytes > CI_QUEUE_BYTES) {
        bytes -= waiting.shift()?.length ?? 0;
        dropped++;
      }
      if (dropped > 0 && !busy) {
        const entry = lossEntry(dropped, nowMillis(), location.href);
        waiting.push(entry);
        bytes += entry.length;
        dropped = 0;
      }
      schedule(urgent ? 0 : CI_BATCH_MILLIS);
    },
    leave() {
      // After a failure the server is taken for unreachable, and a page that is unloading must not wait.
      if (backOff.isFailing) return;
      while (!over && waiting.length > 0) after(post(take(), true), nothing, nothing);
    },
  };
}

function nothing(): void {}

function newId(): string {
  return randomId() + randomId();
}
