import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import type { SqlDialect } from '../sql-dialect.js';

/** A migration in its released form: its text never changes. */
export interface FrozenMigration {
  /** Name; migrations run in alphabetical order. */
  readonly name: string;
  /** Number of the schema that it creates, the first four digits of its name. */
  readonly schema: number;
  /** Oldest schema whose instances may have the store open concurrently with this migration. */
  readonly runsBeside: number;
  readonly statements: readonly string[];
  /** Hash of the whole text, in hex. */
  readonly sha256: string;
}

// Resolves to the same folder from src and from dist.
const FOLDER = new URL('../../migrations/', import.meta.url);
/** First line of each migration from 0026 on. */
const RUNS_BESIDE = /^-- Runs beside: (\d{4})\n/;

/** Reads every migration of a dialect, `<name>.<dialect>.sql` in `migrations`, in order. */
export function frozenMigrations(dialect: SqlDialect['name']): readonly FrozenMigration[] {
  const suffix = `.${dialect}.sql`;
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(suffix))
    .toSorted()
    .map((file) =>
      frozenMigration(file.slice(0, -suffix.length), readFileSync(new URL(file, FOLDER), 'utf8')),
    );
}

/** Parses a migration. If the line is missing, no older instance may run concurrently. */
export function frozenMigration(name: string, text: string): FrozenMigration {
  const schema = Number(name.slice(0, 4));
  return {
    name,
    schema,
    runsBeside: Number(RUNS_BESIDE.exec(text)?.[1] ?? schema),
    // A semicolon at the end of a line always ends a statement.
    statements: text.split(/;\n/).slice(0, -1),
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}

/** Schema of a release with these migrations. */
export function newestSchema(migrations: readonly FrozenMigration[]): number {
  return Math.max(0, ...migrations.map(({ schema }) => schema));
}
