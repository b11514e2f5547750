import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Row in the format of `contents.json`: integers as decimal text, bytes as hex. */
export type GoldenRow = Readonly<Record<string, string | null>>;

/** Ledger that one release wrote, on SQLite and on PostgreSQL. */
export interface Golden {
  /** Returns the rows of a table, ordered by key. @throws Error if the release had no such table */
  rows(table: string): readonly GoldenRow[];
  /**
   * Returns the rows of a table, ordered by key; an empty list if the release had no such table.
   */
  rowsIfAny(table: string): readonly GoldenRow[];
  /** Copies the SQLite file to a path where a test may write to it. */
  copyTo(path: string): void;
  /** SQL statements that fill an empty PostgreSQL database with the ledger. */
  readonly statements: string;
}

/** @param release name of the folder in `test/golden` */
export function goldenOf(release: string): Golden {
  const folder = join(import.meta.dirname, '../golden', release);
  const contents = contentsOf(folder);
  return {
    rows(table) {
      const rows = contents[table];
      if (rows === undefined) throw new Error(`there was no table ${table}`);
      return rows;
    },
    rowsIfAny: (table) => contents[table] ?? [],
    copyTo: (path) => copyFileSync(join(folder, 'ledger.sqlite'), path),
    statements: readFileSync(join(folder, 'ledger.postgres.sql'), 'utf8'),
  };
}

function contentsOf(folder: string): Readonly<Record<string, readonly GoldenRow[]>> {
  return JSON.parse(readFileSync(join(folder, 'contents.json'), 'utf8'));
}

/** Returns the text of a column; throws if the column is null. */
export function textOf(row: GoldenRow, column: string): string {
  const value = row[column];
  if (value === null || value === undefined) throw new Error(`${column} has no value`);
  return value;
}

const textOrNull = (row: GoldenRow, column: string): string | null => row[column] ?? null;
export const bigintOf = (row: GoldenRow, column: string): bigint => BigInt(textOf(row, column));
export const numberOf = (row: GoldenRow, column: string): number => Number(textOf(row, column));

export function bigintOrNull(row: GoldenRow, column: string): bigint | null {
  return textOrNull(row, column) === null ? null : bigintOf(row, column);
}

export function numberOrNull(row: GoldenRow, column: string): number | null {
  return textOrNull(row, column) === null ? null : numberOf(row, column);
}
