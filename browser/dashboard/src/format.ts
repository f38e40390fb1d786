// Numbers and times as people read them.

export function clock(millis: number, precise = true): string {
  const time = new Date(millis);
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
  return precise ? `${seconds}.${String(time.getMilliseconds()).padStart(3, '0')}` : seconds;
}

/** `2026-11-16`, by the local clock. */
export function day(millis: number): string {
  const time = new Date(millis);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

export function bytes(value: number): string {
  if (value < 1_024) return `${value} B`;
  if (value < 1_024 * 1_024) return `${short(value / 1_024)} KB`;
  return `${short(value / 1_024 / 1_024)} MB`;
}

export function millis(value: number): string {
  const seconds = Math.round(value / 1_000);
  if (seconds >= 60) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (value >= 1_000) return `${short(value / 1_000, 2)} s`;
  return `${value < 10 ? short(value) : Math.round(value)} ms`;
}

export function short(value: number, digits = 1): string {
  return String(Number(value.toFixed(digits)));
}

export const count = (value: number): string => value.toLocaleString('en');

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `2 min ago`. A time that a slow clock puts into the future counts as now. */
export function ago(then: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - then) / 1_000));
  if (seconds < 2) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${plural(Math.floor(seconds / 86_400), 'day')} ago`;
}

/** JSON with line breaks; other text unchanged. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function path(url: string | undefined): string {
  if (!url) return '';
  try {
    const { host, pathname, search } = new URL(url);
    return `${host}${pathname}${search}`;
  } catch {
    return url;
  }
}
