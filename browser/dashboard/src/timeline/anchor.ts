// What the reader looks at stays where it is, while older lines leave above it and new ones come.

interface Placed {
  c: number;
  t: number;
}

/** A row, and how far below the upper edge of the list it begins. */
export interface Anchor extends Placed {
  below: number;
}

/** The chosen row if it is in sight, else the first that is. */
export function anchorOf(
  rows: readonly Placed[],
  selected: number | undefined,
  view: { top: number; height: number; line: number },
): Anchor | undefined {
  const { top, height, line } = view;
  const first = Math.max(0, Math.floor(top / line));
  const inSight = rows.slice(first, Math.ceil((top + height) / line));
  const chosen = inSight.findIndex(({ c }) => c === selected);
  const row = inSight[Math.max(0, chosen)];
  return row && { c: row.c, t: row.t, below: (first + Math.max(0, chosen)) * line - top };
}

/** Where to scroll to; a row that is gone is stood in for by the one that came after it. */
export function topFor(rows: readonly Placed[], { c, t, below }: Anchor, line: number): number {
  const same = rows.findIndex((row) => row.c === c);
  const next = same < 0 ? rows.findIndex((row) => row.t > t || (row.t === t && row.c > c)) : same;
  return Math.max(0, (next < 0 ? rows.length : next) * line - below);
}
