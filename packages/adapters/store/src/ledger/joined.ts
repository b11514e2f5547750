import { sql, type AliasedRawBuilder } from 'kysely';

/** Columns of a row that an outer join may not find. All columns are null if no row was found. */
export type OrNothing<Row> = { readonly [Column in keyof Row]: Row[Column] | null };

/** Columns of a row whose names have a prefix, for a join of tables with equal column names. */
export type Prefixed<Row, Prefix extends string> = {
  readonly [Column in keyof Row & string as `${Prefix}${Column}`]: Row[Column] | null;
};

export function prefixed<Column extends string, Prefix extends string>(
  table: string,
  columns: readonly Column[],
  prefix: Prefix,
): readonly AliasedRawBuilder<unknown, `${Prefix}${Column}`>[] {
  return columns.map((column) => sql.ref(`${table}.${column}`).as(`${prefix}${column}`));
}

/** Returns the row without the prefix in its column names; null if the join found no row. */
export function unprefixed<Row extends object>(
  row: object,
  columns: readonly (keyof Row & string)[],
  prefix: string,
  always: keyof Row & string,
): Row | null {
  if (Reflect.get(row, `${prefix}${always}`) === null) return null;
  const found = Object.fromEntries(
    columns.map((column) => [column, Reflect.get(row, `${prefix}${column}`)]),
  );
  // CAST: a join returns all columns of a row or none, and a non-null column was found.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return found as Row;
}
