// uPlot in the page's colours, as wide as its place.

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { useSize, useTheme } from '../hooks';

export type Colours = Record<'accent' | 'bad' | 'ok' | 'warn' | 'muted' | 'line' | 'text' | 'control', string>;

interface Props {
  data: uPlot.AlignedData;
  /** Called anew when the theme changes; the rest of the options stays as it was. */
  options: (colours: Colours) => Omit<uPlot.Options, 'width' | 'height'>;
  height: number;
  /** What it shows, for those who don't see it. */
  label: string;
  /** Draws anew when it changes. */
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
