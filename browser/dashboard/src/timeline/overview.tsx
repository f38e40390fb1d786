// The overview: how much happened when, and the time window. Drag over it, move its edges, or use the keyboard.

import { useMemo, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { clock, day, millis, plural } from '../format';
import { useSize } from '../hooks';
import type { Row } from '../messages.gen';
import { Chart, type Colours } from '../parts/chart';
import { DAY_MILLIS, moved, type Span, type Window } from './window';

const BUCKETS = 120;
const HEIGHT = 84;
/** Room for half a label beside the first and the last time. */
const BESIDE = 30;
/** A drag shorter than this is a click. */
const LEAST_PIXELS = 4;

interface Props {
  rows: readonly Row[];
  whole: Span;
  span: Span;
  onChange: (window: Window) => void;
}

export function Overview({ rows, whole, span, onChange }: Props) {
  const [place, { width }] = useSize<HTMLDivElement>();
  const data = useMemo(() => histogram(rows, whole), [rows, whole.from, whole.to]);
  const latest = useRef({ whole, onChange });
  latest.current = { whole, onChange };

  const isLong = whole.to - whole.from > DAY_MILLIS;
  const said = (at: number, precise = false) => (isLong ? `${day(at)} ${clock(at, precise)}` : clock(at, precise));

  const options = (colours: Colours): Omit<uPlot.Options, 'width' | 'height'> => ({
    legend: { show: false },
    padding: [6, BESIDE, 0, BESIDE],
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
    scales: { x: { range: () => [latest.current.whole.from / 1_000, latest.current.whole.to / 1_000] } },
    axes: [
      {
        stroke: colours.muted,
        grid: { show: false },
        ticks: { stroke: colours.line, width: 1, size: 4 },
        size: 24,
        gap: 2,
        font: '11px system-ui',
        space: 84,
        values: (_, splits) =>
          splits.map((split) =>
            isLong
              ? `${day(split * 1_000).slice(5)} ${clock(split * 1_000, false).slice(0, 5)}`
              : clock(split * 1_000, false),
          ),
      },
      { show: false },
    ],
    series: [{}, bars(colours.control), bars(colours.accent), bars(colours.bad)],
    hooks: {
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          if (width < LEAST_PIXELS) return;
          const at = (pixel: number) => plot.posToVal(pixel, 'x') * 1_000;
          latest.current.onChange({ kind: 'fixed', from: at(left), to: at(left + width) });
        },
      ],
    },
  });

  const share = (at: number) => Math.min(1, Math.max(0, (at - whole.from) / (whole.to - whole.from)));
  const [left, right] = [share(span.from), share(span.to)];
  const drag = (edge: 'from' | 'to' | 'both') => (event: PointerEvent) => {
    const start = event.clientX;
    const handle = event.currentTarget as HTMLElement;
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
    handle.focus();
    const move = ({ clientX }: PointerEvent) => {
      const by = ((clientX - start) / Math.max(1, width - 2 * BESIDE)) * (whole.to - whole.from);
      onChange(moved(span, whole, edge, by));
    };
    const end = () => {
      handle.removeEventListener('pointermove', move);
      handle.removeEventListener('pointerup', end);
      handle.removeEventListener('pointercancel', end);
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', end);
    handle.addEventListener('pointercancel', end);
  };
  const keys = (edge: 'from' | 'to') => (event: KeyboardEvent) => {
    const all = whole.to - whole.from;
    const steps: Record<string, number> = {
      ArrowLeft: -all / 100,
      ArrowDown: -all / 100,
      ArrowRight: all / 100,
      ArrowUp: all / 100,
      PageDown: -all / 10,
      PageUp: all / 10,
      Home: -all,
      End: all,
    };
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onChange(moved(span, whole, event.shiftKey ? 'both' : edge, by));
  };
  const thumb = (edge: 'from' | 'to', at: number) => (
    <div
      class="thumb"
      role="slider"
      tabIndex={0}
      data-test={`window-${edge}`}
      aria-label={edge === 'from' ? 'Start of the window' : 'End of the window'}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.round(whole.to - whole.from)}
      aria-valuenow={Math.round(span[edge] - whole.from)}
      aria-valuetext={`${said(span[edge], true)}, ${millis(span.to - span.from)} are shown`}
      style={{ left: `${at * 100}%` }}
      onPointerDown={drag(edge)}
      onKeyDown={keys(edge)}
    />
  );
  return (
    <div class="overview" ref={place}>
      <Chart
        data={data}
        options={options}
        height={HEIGHT}
        label={`Activity over time: ${plural(rows.length, 'event')} from ${said(whole.from)} to ${said(whole.to)}`}
        kind={isLong ? 'days' : 'hours'}
      />
      <div class="brush" style={{ left: `${BESIDE}px`, right: `${BESIDE}px` }}>
        <div class="outside" style={{ left: 0, width: `${left * 100}%` }} />
        <div class="outside" style={{ left: `${right * 100}%`, right: 0 }} />
        {(left > 0 || right < 1) && (
          <div
            class="inside"
            style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }}
            onPointerDown={drag('both')}
          />
        )}
        {thumb('from', left)}
        {thumb('to', right)}
      </div>
    </div>
  );
}

const bars = (colour: string): uPlot.Series => ({
  fill: colour,
  stroke: colour,
  width: 0,
  points: { show: false },
  paths: uPlot.paths.bars?.({ size: [0.8, 12, 2], radius: 0.15 }) as uPlot.Series.PathBuilder,
});

/** Stacked: the height of each series includes those below it, and the tallest is drawn first. */
function histogram(rows: readonly Row[], { from, to }: Span): uPlot.AlignedData {
  const size = (to - from) / BUCKETS;
  const times = Array.from({ length: BUCKETS }, (_, place) => (from + (place + 0.5) * size) / 1_000);
  const [all, loads, bad] = [0, 1, 2].map(() => new Array<number>(BUCKETS).fill(0)) as [number[], number[], number[]];
  const add = (to: number[], place: number) => {
    to[place] = (to[place] ?? 0) + 1;
  };
  for (const { t, k, l } of rows) {
    const place = Math.min(BUCKETS - 1, Math.max(0, Math.floor((t - from) / size)));
    add(all, place);
    if (l === 'error') add(bad, place);
    if (l === 'error' || k === 'network') add(loads, place);
  }
  return [times, all, loads, bad];
}
