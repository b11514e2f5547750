import { sql, type ColumnDefinitionBuilder, type CreateTableBuilder } from 'kysely';
import type { SqlDialect } from '../sql-dialect.js';

/** A column that always has a value. */
export const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
  column.notNull();

/** Adds what the database ends a `create table` with. */
export function finished<Table extends string, Columns extends string>(
  table: CreateTableBuilder<Table, Columns>,
  { tableSuffix }: SqlDialect,
): CreateTableBuilder<Table, Columns> {
  return tableSuffix === '' ? table : table.modifyEnd(sql.raw(tableSuffix));
}
