import type { Rounds } from './statistics.js';

type Cells = readonly (string | number)[];

/** Renders a table whose cells contain text. */
export function table(head: readonly string[], rows: readonly Cells[]): string {
  return tableOf(head, rows, '---');
}

/** Renders a table of figures, whose first column contains names. */
export function figureTable(head: readonly string[], rows: readonly Cells[]): string {
  return tableOf(head, rows, '---:');
}

function tableOf(head: readonly string[], rows: readonly Cells[], others: string): string {
  const under = head.map((_, index) => (index === 0 ? '---' : others));
  return [head, under, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Renders a number with three significant digits. */
export function figure(value: number): string {
  return Math.abs(value) >= 1_000
    ? Math.round(value).toLocaleString('en')
    : value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

/** Renders the median of repeated measurements with their minimum and maximum. */
export function spread({ median, min, max }: Rounds): string {
  return `${figure(median)} (${figure(min)}–${figure(max)})`;
}

/** Renders a ratio as a multiple, with its minimum and maximum. */
export function multiple({ median, min, max }: Rounds): string {
  return `${figure(median)}× (${figure(min)}–${figure(max)})`;
}

/** Renders a ratio below 1 as a fraction 1/n, with its maximum and minimum. */
export function part({ median, min, max }: Rounds): string {
  return `1/${figure(1 / median)} (1/${figure(1 / max)}–1/${figure(1 / min)})`;
}
