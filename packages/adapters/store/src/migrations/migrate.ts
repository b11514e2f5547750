import type { Clock, Logger } from '@sotto/kernel';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { LedgerSchemaDiffers, OlderInstancesRun, SchemaIsNewer } from '../errors.js';
import { mapStoreErrors, storeFailure } from '../map-store-errors.js';
import type { StoreSchema } from '../schema.js';
import type { SqlDialect } from '../sql-dialect.js';
import { WITH_INSTANCES, excludingMigrations, newerMigrations } from './compatibility.js';
import type { FrozenMigration } from './frozen-migrations.js';
import { OlderInstances } from './older-instances.js';

/**
 * Migration that creates the table for hashes of migrations. Databases without this migration have
 * no recorded hashes.
 */
const WITH_HASHES = '0011_migration_hashes';

/** Interval between two attempts to migrate while older instances are alive, in milliseconds. */
const RETRY_MS = 500;

export interface MigrationOptions {
  /** All migrations of this release. */
  readonly known: readonly FrozenMigration[];
  /** Name of this process, for {@link OlderInstances}. */
  readonly instance: string;
  /** Hash of this process's network profile; null to compare no profiles. */
  readonly profile: string | null;
  /** Longest wait for older instances to stop, in milliseconds. */
  readonly olderInstancesMs: number;
  /** Clock that measures the wait for older instances. */
  readonly waitClock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly logger: Logger;
}

/**
 * Updates the schema if necessary. Accepts migrations of a newer release if this release may run
 * concurrently with them. Waits for older instances that a pending migration excludes.
 * @throws LedgerUnavailable if a migration fails; the migration is rolled back completely
 * @throws LedgerSchemaDiffers if a migration was applied with another text, or if a migration is
 *   missing although a later migration was applied; the database is unchanged
 * @throws SchemaIsNewer if a newer release has applied a migration that excludes this release
 * @throws OlderInstancesRun if older instances do not stop in time; nothing was applied
 */
export async function migrate(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect,
  options: MigrationOptions,
): Promise<void> {
  const { known, instance, logger, olderInstancesMs, waitClock } = options;
  const older = new OlderInstances(instance, waitClock);
  // The schema must be stated explicitly. Otherwise the migrator would use a table of the same name
  // that another program has in another schema.
  const migrationTableSchema = await mapStoreErrors(() => schemaOf(db, dialect.name));
  const migrator = new Migrator({
    db,
    ...(migrationTableSchema === undefined ? {} : { migrationTableSchema }),
    provider: { getMigrations: async () => migrationsOf(dialect, known, older) },
  });
  const deadlineMs = waitClock.monotonicMs() + olderInstancesMs;
  let announced: string | null = null;
  while ((await pendingMigrations(db, migrator, known)).length > 0) {
    let error: unknown;
    await dialect.migrating(async () => {
      ({ error } = await migrator.migrateToLatest());
    });
    if (error === undefined) break;
    if (!(error instanceof OlderInstancesRun)) {
      // The failure may be caused by a newer release that migrated after the check above. Then this
      // call throws the specific error.
      await pendingMigrations(db, migrator, known);
      throw storeFailure('the ledger schema could not be brought up to date', error);
    }
    if (waitClock.monotonicMs() >= deadlineMs) throw error;
    if (error.message !== announced)
      logger.warn(
        { ...error.details, limitMs: olderInstancesMs },
        'waiting for instances of an older release to stop',
      );
    announced = error.message;
    await waitClock.sleep(RETRY_MS);
  }
  await mapStoreErrors(() => recordHashes(db, known));
}

/**
 * Returns the migrations of this release that were not applied yet.
 * @throws LedgerSchemaDiffers, SchemaIsNewer, LedgerUnavailable
 */
async function pendingMigrations(
  db: Kysely<StoreSchema>,
  migrator: Migrator,
  known: readonly FrozenMigration[],
): Promise<readonly FrozenMigration[]> {
  const executed = await mapStoreErrors(() => migrator.getMigrations());
  const applied = executed.flatMap(({ name, executedAt }) =>
    executedAt === undefined ? [] : [name],
  );
  const missing = skippedAmong(known, applied);
  if (missing.length > 0)
    throw new LedgerSchemaDiffers({
      message: `the ledger was made by a build between releases, which left migrations out: ${missing.join(', ')}`,
      details: { missingMigrations: missing.join(', ') },
    });
  const differing = applied.includes(WITH_HASHES)
    ? await mapStoreErrors(() => differingFrom(known, db))
    : [];
  if (differing.length > 0)
    throw new LedgerSchemaDiffers({
      message: `the ledger was made by migrations of another text: ${differing.join(', ')}`,
      details: { differingMigrations: differing.join(', ') },
    });
  const excluding =
    applied.length === 0
      ? []
      : await mapStoreErrors(async () => excludingIn(db, known, await appliedNames(db)));
  if (excluding.length > 0)
    throw new SchemaIsNewer({
      message: `${SchemaIsNewer.meaning} Its migrations: ${excluding.join(', ')}.`,
      details: { unknownMigrations: excluding.join(', ') },
    });
  return known.filter(({ name }) => !applied.includes(name));
}

/** Returns the applied migrations of newer releases that exclude this release. */
export async function excludingIn(
  db: Kysely<StoreSchema>,
  known: readonly FrozenMigration[],
  applied: readonly string[],
): Promise<readonly string[]> {
  const names = new Set(known.map(({ name }) => name));
  // Without the migration `0026_instances`, the database does not record compatibility, so every
  // unknown migration excludes this release.
  if (!applied.includes(WITH_INSTANCES)) return applied.filter((name) => !names.has(name));
  return excludingMigrations(await newerMigrations(db, known), known);
}

/**
 * Returns the PostgreSQL schema (namespace) that contains the ledger: the namespace in which
 * statements find its tables, or the namespace in which the tables will be created. SQLite has no
 * namespaces.
 */
export async function schemaOf(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect['name'],
): Promise<string | undefined> {
  if (dialect === 'sqlite') return undefined;
  const { rows } = await sql<{ name: string | null }>`select coalesce(
    (select nspname from pg_namespace join pg_class on pg_namespace.oid = relnamespace
      where pg_class.oid = to_regclass('kysely_migration')),
    current_schema()) as name`.execute(db);
  return rows[0]?.name ?? undefined;
}

/**
 * Returns the migrations that are missing although a later migration was applied. No release
 * produces a database in this state.
 */
export function skippedAmong(
  known: readonly FrozenMigration[],
  applied: readonly string[],
): readonly string[] {
  const names = known.map(({ name }) => name);
  const last = names.findLastIndex((name) => applied.includes(name));
  return names.slice(0, last + 1).filter((name) => !applied.includes(name));
}

function migrationsOf(
  dialect: SqlDialect,
  known: readonly FrozenMigration[],
  older: OlderInstances,
): Record<string, Migration> {
  return Object.fromEntries(
    known.map((migration) => [
      migration.name,
      {
        async up(db: Kysely<StoreSchema>) {
          await older.checkNoneExcluded(db, dialect, migration);
          for (const statement of migration.statements) await sql.raw(statement).execute(db);
          if (dialect.name === 'sqlite') await checkReferences(db);
          // The hash is written in the migration's transaction, because an older instance must
          // never read a migration whose compatibility is not recorded yet.
          if (migration.name >= WITH_INSTANCES) await insertHashes(db, [migration]);
        },
      },
    ]),
  );
}

/**
 * Checks foreign keys, because SQLite does not check them while tables are rebuilt.
 * @throws Error if a row refers to a missing row
 */
async function checkReferences(db: Kysely<StoreSchema>): Promise<void> {
  const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(
    db,
  );
  const [first] = rows;
  if (first !== undefined)
    throw new Error(
      `${rows.length} rows refer to missing ones, the first in ${first.table} to ${first.parent}`,
    );
}

/** Returns the names of migrations whose applied text differs from the text in this release. */
export async function differingFrom(
  known: readonly FrozenMigration[],
  db: Kysely<StoreSchema>,
): Promise<readonly string[]> {
  const hashes = new Map(known.map(({ name, sha256 }) => [name, sha256]));
  const applied = await db.selectFrom('migration_hashes').selectAll().orderBy('name').execute();
  return applied.flatMap(({ name, sha256 }) =>
    hashes.has(name) && hashes.get(name) !== sha256 ? [name] : [],
  );
}

/**
 * Records the hashes of migrations that were applied by older releases, which did not record
 * hashes.
 */
async function recordHashes(
  db: Kysely<StoreSchema>,
  known: readonly FrozenMigration[],
): Promise<void> {
  const recorded = await db.selectFrom('migration_hashes').select('name').execute();
  const names = new Set(recorded.map(({ name }) => name));
  const missing = known.filter(({ name }) => !names.has(name));
  if (missing.length > 0) await insertHashes(db, missing);
}

async function insertHashes(
  db: Kysely<StoreSchema>,
  migrations: readonly FrozenMigration[],
): Promise<void> {
  await db
    .insertInto('migration_hashes')
    .values(
      migrations.map(({ name, sha256, runsBeside }) => ({
        name,
        sha256,
        // The table has the column `runs_beside` only from migration 0026 on.
        ...(name >= WITH_INSTANCES ? { runs_beside: BigInt(runsBeside) } : {}),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function appliedNames(db: Kysely<StoreSchema>): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
