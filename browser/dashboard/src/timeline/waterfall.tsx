// Everything in order, one row each, with a bar for its duration. Only visible rows are in the document.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { clock, day, millis } from '../format';
import { useSize } from '../hooks';
import type { Row } from '../messages.gen';
import { choose } from '../parts/picker';
import { type Anchor, anchorOf, topFor } from './anchor';
import type { Span } from './window';

const LINE = 28;
const MORE = 8;

interface Props {
  rows: readonly Row[];
  /** Rows outside of it come from a wrong clock. */
  whole: Span;
  span: Span;
  selected: number | undefined;
  onSelect: (cursor: number) => void;
}

const KINDS: Record<Row['k'], string> = {
  action: 'action',
  network: 'request',
  console: 'console',
  error: 'error',
  websocket: 'socket',
  code_update: 'code',
};

export function Waterfall({ rows, whole, span, selected, onSelect }: Props) {
  const [list, { height }] = useSize<HTMLDivElement>();
  const [top, setTop] = useState(Number.MAX_SAFE_INTEGER);
  // Follow new rows only while the user is at the end of the list; after scrolling back, stay there.
  const atEnd = useRef(true);
  const anchor = useRef<Anchor>(undefined);
  const most = Math.max(0, rows.length * LINE - height);
  const scrolled = () => {
    const place = list.current;
    if (!place) return;
    const { scrollTop: top, clientHeight: height } = place;
    atEnd.current = top >= place.scrollHeight - height - LINE;
    anchor.current = anchorOf(rows, selected, { top, height, line: LINE });
    setTop(top);
  };
  useLayoutEffect(() => {
    const place = list.current;
    if (!place) return;
    const wanted = atEnd.current ? most : anchor.current && topFor(rows, anchor.current, LINE);
    // Setting the position of a list stops its scrolling, even if the position does not change.
    if (wanted !== undefined && Math.abs(place.scrollTop - wanted) >= 0.5) place.scrollTop = wanted;
    scrolled();
  }, [rows, most, selected]);

  const chosen = rows.findIndex(({ c }) => c === selected);
  const go = (place: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, place))];
    if (!row || !list.current) return;
    const at = rows.indexOf(row) * LINE;
    const { scrollTop } = list.current;
    if (at < scrollTop) list.current.scrollTop = at;
    else if (at + LINE > scrollTop + height) list.current.scrollTop = at + LINE - height;
    scrolled();
    onSelect(row.c);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height / LINE) - 1);
    const from = chosen < 0 ? rows.length : chosen;
    const places: Record<string, number> = {
      ArrowDown: chosen < 0 ? rows.length - 1 : from + 1,
      ArrowUp: from - 1,
      PageDown: from + page,
      PageUp: from - page,
      Home: 0,
      End: rows.length - 1,
    };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    go(place);
  };

  const first = Math.max(0, Math.floor(Math.min(top, most) / LINE) - MORE);
  const last = Math.min(rows.length, first + Math.ceil((height || 600) / LINE) + 2 * MORE);
  const long = span.to - span.from;
  const share = (value: number) => `${Math.min(100, Math.max(0, (value / long) * 100))}%`;
  return (
    <div
      class="waterfall"
      ref={list}
      role="listbox"
      tabIndex={0}
      aria-label="What happened, oldest first"
      aria-activedescendant={chosen >= first && chosen < last ? `row-${selected}` : undefined}
      data-test="waterfall"
      data-total={rows.length}
      onScroll={scrolled}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => choose(event, go)}
    >
      <div class="lines" role="presentation" style={{ height: `${rows.length * LINE}px` }}>
        {rows.slice(first, last).map((row, index) => (
          <div
            key={row.c}
            id={`row-${row.c}`}
            class="line"
            role="option"
            data-kind={row.k}
            data-level={row.l}
            aria-selected={row.c === selected}
            aria-posinset={first + index + 1}
            aria-setsize={rows.length}
            style={{ transform: `translateY(${(first + index) * LINE}px)` }}
            tabIndex={-1}
          >
            <span class="time">{row.t < whole.from || row.t > whole.to ? day(row.t) : clock(row.t)}</span>
            <span class="kind">{KINDS[row.k]}</span>
            <span class="what">
              {row.x}
              {row.n && <span class="times"> ×{row.n}</span>}
            </span>
            <span class="track" aria-hidden="true">
              <span class="bar" style={{ left: share(row.t - span.from), width: share(row.d ?? 0) }} />
            </span>
            <span class="took">{row.d === undefined ? '' : millis(row.d)}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
