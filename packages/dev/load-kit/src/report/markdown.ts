import type { Rounds } from './statistics.js';

type Cells = readonly (string | number)[];

/** A table of texts. */
export function table(head: readonly string[], rows: readonly Cells[]): string {
  return tableOf(head, rows, '---');
}

/** A table whose first column names what the others have figures of. */
export function figureTable(head: readonly string[], rows: readonly Cells[]): string {
  return tableOf(head, rows, '---:');
}

function tableOf(head: readonly string[], rows: readonly Cells[], others: string): string {
  const under = head.map((_, index) => (index === 0 ? '---' : others));
  return [head, under, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Three figures, as more would be noise. */
export function figure(value: number): string {
  return Math.abs(value) >= 1_000
    ? Math.round(value).toLocaleString('en')
    : value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

/** The median, with the lowest and the highest round. */
export function spread({ median, min, max }: Rounds): string {
  return `${figure(median)} (${figure(min)}–${figure(max)})`;
}

/** How many times as much, with the lowest and the highest round. */
export function multiple({ median, min, max }: Rounds): string {
  return `${figure(median)}× (${figure(min)}–${figure(max)})`;
}

/** The same of what should be small: which part it is. */
export function part({ median, min, max }: Rounds): string {
  return `1/${figure(1 / median)} (1/${figure(1 / max)}–1/${figure(1 / min)})`;
}
