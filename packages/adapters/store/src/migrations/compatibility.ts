import { sql, type Kysely } from 'kysely';
import { OlderInstancesRun } from '../errors.js';
import type { StoreSchema } from '../schema.js';
import { timeOf, type SqlDialect } from '../sql-dialect.js';
import { newestSchema, type FrozenMigration } from './frozen-migrations.js';

/** Migration since which each process that has the store open has a row. */
export const WITH_INSTANCES = '0026_instances';
/** Schema since which a lane says when it was leased. */
const WITH_LEASE_TIMES = 5;
/** Age from which the row of a process no longer counts, in milliseconds. */
export const INSTANCE_TTL_MS = 15_000;

/** An applied migration that this release does not know. */
export interface NewerMigration {
  readonly name: string;
  /** Oldest schema that may run beside it; null if it does not say. */
  readonly runsBeside: number | null;
}

/** Applied migrations that `known` lacks. Precondition: `WITH_INSTANCES` was applied. */
export async function newerMigrations(
  db: Kysely<StoreSchema>,
  known: readonly FrozenMigration[],
): Promise<readonly NewerMigration[]> {
  const { rows } = await sql<{ name: string; runs_beside: bigint | number | null }>`
    select applied.name, runs_beside from kysely_migration as applied
    left join migration_hashes on migration_hashes.name = applied.name
    where applied.name > ${sql.lit(known.at(-1)?.name ?? '')} order by applied.name`.execute(db);
  return rows.map(({ name, runs_beside: runsBeside }) => ({
    name,
    runsBeside: runsBeside === null ? null : Number(runsBeside),
  }));
}

/** Names of newer migrations beside which a release with the known ones may not run. */
export function excludingMigrations(
  newer: readonly NewerMigration[],
  known: readonly FrozenMigration[],
): readonly string[] {
  const schema = newestSchema(known);
  return newer.flatMap(({ name, runsBeside }) =>
    runsBeside !== null && runsBeside <= schema ? [] : [name],
  );
}

/**
 * Rejects a migration while an instance that may not run beside it is alive. Called within the
 * migration's transaction. On PostgreSQL no instance registers or takes a lane between this check
 * and the commit.
 * @param instance this process, whose own lanes of before a restart do not count
 * @throws OlderInstancesRun
 */
export async function checkNoneExcluded(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect,
  migration: FrozenMigration,
  instance: string,
): Promise<void> {
  if (migration.schema <= WITH_LEASE_TIMES) return;
  const registered = await hasInstances(db, dialect);
  if (dialect.name === 'postgres')
    await sql`lock table ${sql.table(registered ? 'instances' : 'lanes')} in share row exclusive mode`.execute(
      db,
    );
  const excluded = new Set([
    ...(await unregisteredHolders(db, dialect, registered)),
    ...(registered ? await olderInstances(db, dialect, migration.runsBeside) : []),
  ]);
  excluded.delete(instance);
  if (excluded.size === 0) return;
  const instances = [...excluded].toSorted().join(', ');
  throw new OlderInstancesRun({
    message: `${OlderInstancesRun.meaning} Instances: ${instances}. Migration: ${migration.name}.`,
    details: { migration: migration.name, instances },
  });
}

async function olderInstances(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect,
  runsBeside: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('instances')
    .select('id')
    .where('schema', '<', BigInt(runsBeside))
    .where('seen_at_ms', '>', timeOf(dialect, -INSTANCE_TTL_MS))
    .where('seen_at_ms', '<=', timeOf(dialect))
    .execute();
  return rows.map(({ id }) => id);
}

/** Holders of lanes without a row: processes of releases before `WITH_INSTANCES`. */
async function unregisteredHolders(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect,
  registered: boolean,
): Promise<readonly string[]> {
  const holders = await db
    .selectFrom('lanes')
    .select('leased_to')
    .distinct()
    .where('leased_to', 'is not', null)
    .where('lease_until_ms', '>', timeOf(dialect))
    .where('leased_at_ms', '<=', timeOf(dialect))
    .execute();
  const known = registered ? await db.selectFrom('instances').select('id').execute() : [];
  const ids = new Set(known.map(({ id }) => id));
  return holders.flatMap(({ leased_to: id }) => (id === null || ids.has(id) ? [] : [id]));
}

async function hasInstances(db: Kysely<StoreSchema>, dialect: SqlDialect): Promise<boolean> {
  const { rows } =
    dialect.name === 'sqlite'
      ? await sql`select 1 from sqlite_schema where name = 'instances'`.execute(db)
      : await sql`select 1 where to_regclass('instances') is not null`.execute(db);
  return rows.length > 0;
}
