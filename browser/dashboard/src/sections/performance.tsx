// How fast pages load, load by load, compared with their baseline.

import { useMemo, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import type { SectionProps } from '../app';
import { clock, millis, plural, short } from '../format';
import { useInSight } from '../hooks';
import type { Loads, PageHistory } from '../messages.gen';
import { Chart, type Colours } from '../parts/chart';
import { Empty } from '../parts/empty';
import { Picker } from '../parts/picker';

type Vital = Exclude<keyof Loads, 'at'>;

const VITALS: [vital: Vital, title: string][] = [
  ['largestContentfulPaint', 'Largest contentful paint'],
  ['firstContentfulPaint', 'First contentful paint'],
  ['interactionToNextPaint', 'Interaction to next paint'],
  ['cumulativeLayoutShift', 'Cumulative layout shift'],
  ['timeToFirstByte', 'Time to first byte'],
  ['load', 'Load'],
];

const show = (vital: Vital, value: number) =>
  vital === 'cumulativeLayoutShift' ? short(value, 3) : millis(Math.round(value));

const nameOf = ({ url, kind }: PageHistory) => (kind === 'route_change' ? `${url} (route change)` : url);

export function Performance({ model }: SectionProps) {
  const [selected, setSelected] = useState<string>();
  const title = useInSight<HTMLHeadingElement>(selected);
  const pages = model.performance;
  if (pages.length === 0) {
    return (
      <Empty
        model={model}
        title="No page load yet"
        when="Load or reload your page. Its load times appear two seconds later."
      />
    );
  }
  const page = pages.find((each) => nameOf(each) === selected) ?? (pages[0] as PageHistory);
  return (
    <div class="split">
      <div class="side">
        <Picker
          label="Pages"
          items={pages}
          keyOf={nameOf}
          selected={nameOf(page)}
          onSelect={setSelected}
          view={(each) => (
            <>
              <strong class="message">{each.url}</strong>
              <span class="sub">
                {each.kind === 'route_change' && <span class="tag">route change</span>}
                <span>{plural(each.history.at.length, 'load')}</span>
                {each.captured_at && <span>{clock(Date.parse(each.captured_at), false)}</span>}
                {(each.regressions?.length ?? 0) > 0 && (
                  <span class="count bad">{plural(each.regressions?.length ?? 0, 'regression')}</span>
                )}
              </span>
            </>
          )}
        />
      </div>
      <div class="details" data-test="performance">
        <h2 ref={title}>{nameOf(page)}</h2>
        <p class="sub">
          {page.baseline && page.baseline.sampleCount > 0
            ? `The dashed line is the baseline: ${plural(page.baseline.sampleCount, 'load')} before this one.`
            : 'No baseline yet: comparison starts with the next load of this page.'}
        </p>
        <div class="vitals">
          {VITALS.map(([vital, title]) => (
            <VitalChart key={vital} page={page} vital={vital} title={title} />
          ))}
        </div>
      </div>
    </div>
  );
}

function VitalChart({ page, vital, title }: { page: PageHistory; vital: Vital; title: string }) {
  const values = useMemo(() => page.history[vital] ?? [], [page, vital]);
  const latest = values.at(-1);
  const baseline = page.baseline?.[vital];
  const worse = page.regressions?.find(({ metric }) => metric === vital);
  const data = useMemo(() => {
    // By load, not by time: a pause between two loads says nothing about either.
    const loads = values.map((_, place) => place + 1);
    const usual = loads.map(() => baseline ?? null);
    return [loads, values, usual] as uPlot.AlignedData;
  }, [values, baseline]);
  const kind = worse ? 'bad' : 'usual';
  const options = (colours: Colours): Omit<uPlot.Options, 'width' | 'height'> => {
    const colour = worse ? colours.bad : colours.accent;
    return {
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 12, 8, 0],
      scales: {
        x: { time: false, range: (_, least, most) => [least - 0.3, Math.max(most, least + 1) + 0.3] },
        y: { range: (_, __, most) => [0, (most || 1) * 1.15] },
      },
      axes: [
        { show: false },
        {
          stroke: colours.muted,
          grid: { stroke: colours.line, width: 1 },
          ticks: { show: false },
          size: 52,
          gap: 2,
          font: '11px system-ui',
          space: 28,
          values: (_, splits) => splits.map((split) => show(vital, split)),
        },
      ],
      series: [
        {},
        { stroke: colour, width: 2, points: { show: true, size: 6, fill: colour }, spanGaps: true },
        { stroke: colours.muted, width: 1.5, dash: [5, 4], points: { show: false } },
      ],
    };
  };
  const rating = page.ratings?.[vital];
  const said = typeof latest === 'number' ? show(vital, latest) : 'not measured';
  const usual = baseline === undefined ? '' : `, usually ${show(vital, baseline)}`;
  return (
    <section class="card vital" data-test={`vital-${vital}`} data-worse={worse ? '' : undefined}>
      <h3>{title}</h3>
      <p>
        <b>{said}</b>{' '}
        {rating && (
          <span class="tag" data-rating={rating.replace(/ .*/, '')}>
            {rating}
          </span>
        )}
        {worse && (
          <span class="tag" data-rating="poor">
            was {show(vital, worse.was)}
            {worse.percent ? `, +${worse.percent}%` : ''}
          </span>
        )}
      </p>
      {typeof latest === 'number' || values.some((value) => value !== null) ? (
        <Chart
          data={data}
          options={options}
          height={110}
          label={`${title} of the last ${plural(values.length, 'load')}: ${said}${usual}`}
          kind={kind}
        />
      ) : (
        <p class="none">
          {vital === 'interactionToNextPaint'
            ? 'Nobody has interacted with the page yet.'
            : 'The browser did not report it.'}
        </p>
      )}
    </section>
  );
}
