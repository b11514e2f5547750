/** A row of a table in docs/operations/partner-data.md. */
export interface PartnerRow {
  /** Name of the field, without backticks. */
  readonly field: string;
  readonly unit: string;
  readonly sign: string;
  readonly absent: string;
}

const COLUMNS = 6;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the rows of the table under a heading of the page about partners' numbers.
 * @throws Error if the page has no such table, or if a row has no source or date
 */
export function partnerRows(page: string, heading: string): readonly PartnerRow[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  if (rows.length === 0) throw new Error(`the page has no table under ${heading}`);
  return rows.map((row) => {
    const cells = row.split('|').slice(1, -1);
    const [field = '', unit = '', sign = '', absent = '', source = '', date = ''] = cells.map(
      (cell) => cell.trim(),
    );
    if (cells.length !== COLUMNS || source === '' || !DATE.test(date))
      throw new Error(`a row under ${heading} lacks a source or a date`);
    return { field: field.replaceAll('`', ''), unit, sign, absent };
  });
}
