// Keeps the visible rows in place while older rows are removed above them and new ones arrive.

interface Placed {
  c: number;
  t: number;
}

/** A row, and its distance from the upper edge of the list. */
export interface Anchor extends Placed {
  below: number;
}

/** The chosen row if it is visible, otherwise the first visible row. */
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

/** The scroll position that keeps the anchor in place. If its row is gone, the next row replaces it. */
export function topFor(rows: readonly Placed[], { c, t, below }: Anchor, line: number): number {
  const same = rows.findIndex((row) => row.c === c);
  const next = same < 0 ? rows.findIndex((row) => row.t > t || (row.t === t && row.c > c)) : same;
  return Math.max(0, (next < 0 ? rows.length : next) * line - below);
}
