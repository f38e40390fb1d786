// An entry in full: short values in a list, long ones in boxes.

import { bytes, clock, day, millis, pretty } from '../format';

const LONG = 100;

const TITLES: Record<string, string> = {
  id: 'ID',
  ts: 'Time',
  url: 'URL',
  pageUrl: 'Page',
  page_url: 'Page',
  cwe: 'CWE',
};

const titleOf = (name: string) =>
  TITLES[name] ??
  name
    .replace(/^_/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/_/g, ' ')
    .replace(/^./, (first) => first.toUpperCase());

/** A value with its unit. Times use the same clock as the lists. */
function said(name: string, value: unknown): string {
  if (typeof value === 'number') {
    if (/^duration|Duration$|_ms$/.test(name)) return millis(value);
    if (/size$|bytes$/i.test(name)) return bytes(value);
  }
  const isTime = /^(ts|timestamp|at|expires)$|(At|_at|_seen)$/.test(name);
  const at = !isTime ? Number.NaN : typeof value === 'string' ? Date.parse(value) : Number(value);
  if (Number.isNaN(at)) return String(value);
  return day(at) === day(Date.now()) ? clock(at) : `${day(at)} ${clock(at)}`;
}

/** Text without spaces may break anywhere; words may not. */
const isCode = (value: unknown) => typeof value === 'string' && /[/{=]|\S{24}/.test(value);

export function Facts({ of, without = [] }: { of: Record<string, unknown>; without?: string[] }) {
  const known = Object.entries(of).filter(([name, value]) => value !== null && value !== '' && !without.includes(name));
  const isLong = (value: unknown) =>
    typeof value === 'object' || (typeof value === 'string' && (value.length > LONG || value.includes('\n')));
  const facts = known.filter(([, value]) => !isLong(value));
  return (
    <>
      {facts.length > 0 && (
        <dl class="facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{titleOf(name)}</dt>
              <dd class={isCode(value) ? 'wide' : ''}>{said(name, value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {known
        .filter(([, value]) => isLong(value))
        .map(([name, value]) => (
          <Text
            key={name}
            title={titleOf(name)}
            text={typeof value === 'string' ? pretty(value) : JSON.stringify(value, null, 2)}
          />
        ))}
    </>
  );
}

/** A scrollable box, also by keyboard. */
export function Text({ title, text }: { title: string; text: string }) {
  return (
    <section class="text">
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable elements must be reachable without a mouse */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
