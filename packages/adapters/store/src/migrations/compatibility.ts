import { sql, type Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';
import { newestSchema, type FrozenMigration } from './frozen-migrations.js';

/**
 * Migration that creates the table of instances. From this migration on, each process that has the
 * store open has a row in that table.
 */
export const WITH_INSTANCES = '0026_instances';
/**
 * Age in milliseconds after which the row of a process expires if the process does not renew it.
 */
export const INSTANCE_TTL_MS = 15_000;

/** An applied migration that this release does not know. */
export interface NewerMigration {
  readonly name: string;
  /**
   * Oldest schema whose instances may run concurrently with this migration; null if the migration
   * states none.
   */
  readonly runsBeside: number | null;
}

/**
 * Returns the applied migrations that are not in `known`. Precondition: `WITH_INSTANCES` was
 * applied.
 */
export async function newerMigrations(
  db: Kysely<StoreSchema>,
  known: readonly FrozenMigration[],
): Promise<readonly NewerMigration[]> {
  const { rows } = await sql<{ name: string; runs_beside: bigint | number | null }>`
    select applied.name, runs_beside from kysely_migration as applied
    left join migration_hashes on migration_hashes.name = applied.name
    where applied.name not in (${sql.join(known.map(({ name }) => sql.lit(name)))})
    order by applied.name`.execute(db);
  return rows.map(({ name, runs_beside: runsBeside }) => ({
    name,
    runsBeside: runsBeside === null ? null : Number(runsBeside),
  }));
}

/**
 * Returns the names of those newer migrations that exclude a release whose migrations are `known`.
 */
export function excludingMigrations(
  newer: readonly NewerMigration[],
  known: readonly FrozenMigration[],
): readonly string[] {
  const schema = newestSchema(known);
  return newer.flatMap(({ name, runsBeside }) =>
    runsBeside !== null && runsBeside <= schema ? [] : [name],
  );
}
