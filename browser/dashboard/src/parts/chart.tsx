// A uPlot chart in the page's colours, as wide as its container.

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { useSize, useTheme } from '../hooks';

export type Colours = Record<'accent' | 'bad' | 'ok' | 'warn' | 'muted' | 'line' | 'text' | 'control', string>;

interface Props {
  data: uPlot.AlignedData;
  /** Called again when the theme changes; the other options are kept. */
  options: (colours: Colours) => Omit<uPlot.Options, 'width' | 'height'>;
  height: number;
  /** What it shows, for screen readers. */
  label: string;
  /** A change draws the chart again. */
  kind?: string;
}

function colours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    accent: of('accent'),
    bad: of('bad'),
    ok: of('ok'),
    warn: of('warn'),
    muted: of('muted'),
    line: of('line'),
    text: of('text'),
    control: of('control'),
  };
}

export function Chart({ data, options, height, label, kind = '' }: Props) {
  const [place, { width }] = useSize<HTMLDivElement>();
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(data);
  latest.current = data;
  const theme = useTheme();
  useLayoutEffect(() => {
    if (!place.current || width === 0) return;
    const made = new uPlot({ ...options(colours()), width, height }, latest.current, place.current);
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = undefined;
    };
  }, [width, height, theme, kind]);
  useEffect(() => plot.current?.setData(data), [data]);
  return <div ref={place} class="chart" role="img" aria-label={label} style={{ height: `${height}px` }} />;
}
