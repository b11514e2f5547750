import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import type { SqlDialect } from '../sql-dialect.js';

/** A migration as it was released: its text is never changed. */
export interface FrozenMigration {
  /** Names sort in the order of their running. */
  readonly name: string;
  readonly statements: readonly string[];
  /** Of the whole text, in hex. */
  readonly sha256: string;
}

// The same folder from src and from dist.
const FOLDER = new URL('../../migrations/', import.meta.url);

/** Every migration of a dialect, `<name>.<dialect>.sql` in `migrations`, in order. */
export function frozenMigrations(dialect: SqlDialect['name']): readonly FrozenMigration[] {
  const suffix = `.${dialect}.sql`;
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(suffix))
    .toSorted()
    .map((file) => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8');
      return {
        name: file.slice(0, -suffix.length),
        // A semicolon at the end of a line ends a statement, and stands nowhere else there.
        statements: text.split(/;\n/).slice(0, -1),
        sha256: createHash('sha256').update(text).digest('hex'),
      };
    });
}
