// Actions, requests, errors and sockets as they happened.

import { useMemo, useRef, useState } from 'preact/hooks';
import type { SectionProps } from '../app';
import { count, plural } from '../format';
import { useAsked, useInSight } from '../hooks';
import type { Row } from '../messages.gen';
import { Empty } from '../parts/empty';
import { Facts } from '../parts/json';
import { ask } from '../session';
import { Overview } from './overview';
import { Waterfall } from './waterfall';
import { isWithin, spanOf, type Window, wholeSpan } from './window';

type Kind = Row['k'];

const KINDS: [kind: Kind, title: string][] = [
  ['action', 'Actions'],
  ['network', 'Requests'],
  ['error', 'Errors'],
  ['console', 'Console'],
  ['websocket', 'Sockets'],
];

const WINDOWS: [title: string, window: Window][] = [
  ['All', { kind: 'all' }],
  ['Last 5 min', { kind: 'last', millis: 300_000 }],
  ['Last 30 s', { kind: 'last', millis: 30_000 }],
];

export function Timeline({ model }: SectionProps) {
  const [window, setWindow] = useState<Window>({ kind: 'all' });
  const [hidden, setHidden] = useState<ReadonlySet<Kind>>(new Set());
  const [search, setSearch] = useState('');
  const [selected, setSelected] = useState<number>();
  const kept = useRef<Row>(undefined);
  const { rows, updates } = model;

  const whole = useMemo(() => wholeSpan(rows, model.now()), [rows]);
  const span = spanOf(window, whole);
  const fitting = useMemo(() => {
    const wanted = search.toLowerCase();
    const fits = ({ k, x }: Row) => !hidden.has(k) && (!wanted || x.toLowerCase().includes(wanted));
    return rows.filter(fits);
  }, [rows, hidden, search]);
  const shown = useMemo(() => {
    const code = search
      ? []
      : updates.map(({ t, x }, place): Row => ({ c: -1 - place, b: 'l', t, k: 'code_update', id: '', l: 'info', x }));
    const all: Row[] = code.length > 0 ? [...fitting, ...code].sort((a, b) => a.t - b.t || a.c - b.c) : fitting;
    return all.filter((row) => isWithin(row, span, whole));
  }, [fitting, updates, span.from, span.to, whole, search]);

  if (rows.length === 0) {
    return (
      <Empty
        model={model}
        title="Nothing on the timeline"
        when="Use your app. Clicks, requests, errors and socket messages appear here as they happen."
      />
    );
  }
  const toggle = (kind: Kind) => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    setHidden(next);
  };
  const chosen = shown.find(({ c }) => c === selected);
  if (chosen) kept.current = chosen;
  // The selected row stays although it was evicted.
  const left = kept.current?.c === selected && !rows.some(({ c }) => c === selected) ? kept.current : undefined;
  const isSame = (one: Window) => JSON.stringify(one) === JSON.stringify(window);
  return (
    <div class="timeline">
      <div class="tools">
        <fieldset class="chips">
          <legend class="unseen">Kinds to show</legend>
          {KINDS.map(([kind, title]) => (
            <label key={kind} class="chip" data-kind={kind}>
              <input type="checkbox" checked={!hidden.has(kind)} onChange={() => toggle(kind)} />
              {title}
            </label>
          ))}
        </fieldset>
        <input
          class="search"
          type="search"
          placeholder="Find text"
          aria-label="Find text"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <fieldset class="chips windows">
          <legend class="unseen">Time window</legend>
          {WINDOWS.map(([title, each]) => (
            <button key={title} type="button" class="chip" aria-pressed={isSame(each)} onClick={() => setWindow(each)}>
              {title}
            </button>
          ))}
        </fieldset>
        <p class="shown" data-test="shown">
          {shown.length === rows.length
            ? plural(shown.length, 'event')
            : `${count(shown.length)} of ${plural(rows.length, 'event')}`}
        </p>
      </div>
      <Overview rows={fitting} whole={whole} span={span} onChange={setWindow} />
      <div class="split">
        {shown.length > 0 ? (
          <Waterfall rows={shown} whole={whole} span={span} selected={selected} onSelect={setSelected} />
        ) : (
          <p class="none">Nothing matches: show more kinds, widen the time window, or search for another text.</p>
        )}
        <Details row={chosen ?? left} hasLeft={!chosen && !!left} />
      </div>
    </div>
  );
}

function Details({ row, hasLeft }: { row: Row | undefined; hasLeft: boolean }) {
  // An error that has been explained since has a new answer.
  const { value, problem } = useAsked(row?.id ? `${row.id}\n${row.x}` : undefined, (key) =>
    ask<{ entry: Record<string, unknown>; cut?: string }>(`entry?id=${encodeURIComponent(key.split('\n')[0] ?? '')}`),
  );
  const title = useInSight<HTMLHeadingElement>(row?.c);
  return (
    <aside class="details" aria-label="Details" data-test="details">
      {!row && <p class="none">Select a row to see its details.</p>}
      {row && <h2 ref={title}>{row.x}</h2>}
      {hasLeft && <p class="none">It has been evicted from the buffer since.</p>}
      {row && problem && <p class="none">{problem}</p>}
      {row && value && <Facts of={value.entry} />}
      {value?.cut && <p class="none">Left out: {value.cut}</p>}
    </aside>
  );
}
