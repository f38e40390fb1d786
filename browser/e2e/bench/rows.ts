// Rows for docs/benchmarks.md, gathered from all files of this run in the file named by GASOLINE_BENCH_OUT.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export interface Row {
  what: string;
  measured: number;
  bound?: number;
  unit: string;
  note?: string;
}

export function report(row: Row): void {
  console.log(`${row.what}: ${row.measured.toPrecision(3)} ${row.unit}${row.note ? ` (${row.note})` : ''}`);
  const out = process.env.GASOLINE_BENCH_OUT;
  if (!out) return;
  const rows = existsSync(out) ? (JSON.parse(readFileSync(out, 'utf8')) as Row[]) : [];
  writeFileSync(out, JSON.stringify([...rows, row], null, 1));
}

const sorted = (values: number[]) => values.toSorted((a, b) => a - b);
export const median = (values: number[]) => sorted(values)[Math.floor(values.length / 2)] as number;

export function middleHalf(values: number[]): string {
  const at = (share: number) => (sorted(values)[Math.floor(values.length * share)] as number).toPrecision(3);
  return `${at(0.25)} to ${at(0.75)}`;
}
