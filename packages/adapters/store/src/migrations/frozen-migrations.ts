import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import type { SqlDialect } from '../sql-dialect.js';

/** Migration in its released form. The text of a released migration never changes. */
export interface FrozenMigration {
  /** Name of the migration. Migrations are applied in the alphabetical order of their names. */
  readonly name: string;
  /**
   * Number of the schema that the migration creates: the first four digits of the migration's name.
   */
  readonly schema: number;
  /** Oldest schema whose instances may have the store open concurrently with this migration. */
  readonly runsBeside: number;
  readonly statements: readonly string[];
  /** SHA-256 of the migration's whole text, in hex. */
  readonly sha256: string;
}

// This URL resolves to the same folder from src and from dist.
const FOLDER = new URL('../../migrations/', import.meta.url);
/** Pattern of the first line in each migration from 0026 on. */
const RUNS_BESIDE = /^-- Runs beside: (\d{4})\n/;

/**
 * Reads every migration of a dialect from the files `<name>.<dialect>.sql` in `migrations`, in
 * order of the names.
 */
export function frozenMigrations(dialect: SqlDialect['name']): readonly FrozenMigration[] {
  const suffix = `.${dialect}.sql`;
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(suffix))
    .toSorted()
    .map((file) =>
      frozenMigration(file.slice(0, -suffix.length), readFileSync(new URL(file, FOLDER), 'utf8')),
    );
}

/**
 * Parses the text of a migration. If the line `Runs beside` is missing, no older instance may run
 * concurrently with the migration.
 */
export function frozenMigration(name: string, text: string): FrozenMigration {
  const schema = Number(name.slice(0, 4));
  return {
    name,
    schema,
    runsBeside: Number(RUNS_BESIDE.exec(text)?.[1] ?? schema),
    // In migrations, a semicolon at the end of a line always ends a statement.
    statements: text.split(/;\n/).slice(0, -1),
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}

/** Returns the schema number of a release that has these migrations. */
export function newestSchema(migrations: readonly FrozenMigration[]): number {
  return Math.max(0, ...migrations.map(({ schema }) => schema));
}
