// Finds the colour nearest to a given one that is readable on its background.

type Rgb = [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** Towards black or white, whichever is nearer; `undefined` where neither is enough. */
export function nearestReadable(foreground: string, background: string, ratio: number): string | undefined {
  const from = parse(foreground);
  const behind = parse(background);
  if (!from || !behind) return undefined;
  const candidates = [BLACK, WHITE].flatMap((end) => {
    const found = firstReadable(from, end, behind, ratio);
    return found ? [found] : [];
  });
  const [nearest] = candidates.sort((a, b) => distance(a, from) - distance(b, from));
  return nearest && toHex(nearest);
}

export function contrast(first: string, second: string): number {
  const colours = [parse(first), parse(second)];
  return colours[0] && colours[1] ? ratioOf(colours[0], colours[1]) : 1;
}

function firstReadable(from: Rgb, end: Rgb, behind: Rgb, ratio: number): Rgb | undefined {
  // 255 steps reach black or white from any colour.
  for (let step = 0; step <= 255; step++) {
    const mixed = from.map((value, index) =>
      Math.round(value + (((end[index] as number) - value) * step) / 255),
    ) as Rgb;
    if (ratioOf(mixed, behind) >= ratio) return mixed;
  }
  return undefined;
}

function ratioOf(first: Rgb, second: Rgb): number {
  const [dark, light] = [luminance(first), luminance(second)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function distance(first: Rgb, second: Rgb): number {
  return Math.hypot(...first.map((value, index) => value - (second[index] as number)));
}

function parse(hex: string): Rgb | undefined {
  const digits = /^#([0-9a-f]{6})/i.exec(hex)?.[1];
  return digits ? ([0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as Rgb) : undefined;
}

function toHex(colour: Rgb): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
