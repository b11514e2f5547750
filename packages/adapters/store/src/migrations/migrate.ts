import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { LedgerSchemaDiffers } from '../errors.js';
import { mapStoreErrors, storeFailure } from '../map-store-errors.js';
import type { StoreSchema } from '../schema.js';
import type { SqlDialect } from '../sql-dialect.js';
import { frozenMigrations, type FrozenMigration } from './frozen-migrations.js';

/** The migration that begins to remember hashes. */
const WITH_HASHES = '0011_migration_hashes';

/**
 * Brings the schema up to date; nothing happens when it is.
 * @throws LedgerUnavailable when the schema is newer than this build knows, or a migration fails:
 *   then nothing of it stays.
 * @throws LedgerSchemaDiffers when a migration of another text was applied, or a later one without
 *   an earlier one; the database is left as it is.
 */
export async function migrate(db: Kysely<StoreSchema>, dialect: SqlDialect): Promise<void> {
  const known = frozenMigrations(dialect.name);
  // Without it, another program's table of this name, in a schema of its own, counts as this one.
  const migrationTableSchema = await mapStoreErrors(() => schemaOf(db, dialect.name));
  const migrator = new Migrator({
    db,
    ...(migrationTableSchema === undefined ? {} : { migrationTableSchema }),
    provider: { getMigrations: async () => migrationsOf(known, dialect) },
  });
  const executed = await mapStoreErrors(() => migrator.getMigrations());
  const applied = executed.flatMap(({ name, executedAt }) =>
    executedAt === undefined ? [] : [name],
  );
  const missing = skippedAmong(known, applied);
  if (missing.length > 0)
    throw new LedgerSchemaDiffers({
      message: 'the ledger was made by a build between releases, which left migrations out',
      details: { missingMigrations: missing.join(', ') },
    });
  const differing = applied.includes(WITH_HASHES)
    ? await mapStoreErrors(() => differingFrom(known, db))
    : [];
  if (differing.length > 0)
    throw new LedgerSchemaDiffers({
      message: 'the ledger was made by migrations of another text',
      details: { differingMigrations: differing.join(', ') },
    });
  let error: unknown;
  await dialect.migrating(async () => {
    ({ error } = await migrator.migrateToLatest());
  });
  if (error === undefined) return mapStoreErrors(() => recordHashes(db, known));
  const unknown = await mapStoreErrors(async () => {
    const names = new Set(known.map(({ name }) => name));
    return (await appliedNames(db)).filter((name) => !names.has(name));
  });
  if (unknown.length === 0)
    throw storeFailure('the ledger schema could not be brought up to date', error);
  throw storeFailure(
    'the ledger was written by a newer release: its schema is unknown here',
    error,
    { unknownMigrations: unknown.join(', ') },
  );
}

/**
 * Schema of the ledger, by the path that statements are resolved by, or the one that it will be
 * made in. SQLite has no schemas.
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

/** Names of migrations that were left out below one that was applied; no release does that. */
export function skippedAmong(
  known: readonly FrozenMigration[],
  applied: readonly string[],
): readonly string[] {
  const names = known.map(({ name }) => name);
  const last = names.findLastIndex((name) => applied.includes(name));
  return names.slice(0, last + 1).filter((name) => !applied.includes(name));
}

function migrationsOf(
  known: readonly FrozenMigration[],
  dialect: SqlDialect,
): Record<string, Migration> {
  return Object.fromEntries(
    known.map(({ name, statements }) => [
      name,
      {
        async up(db: Kysely<StoreSchema>) {
          for (const statement of statements) await sql.raw(statement).execute(db);
          if (dialect.name === 'sqlite') await checkReferences(db);
        },
      },
    ]),
  );
}

/**
 * SQLite checks no foreign key while tables are rebuilt.
 * @throws Error when a row refers to one that is missing
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

/** Names of migrations that were applied with another text. */
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

/** Fills in what is missing: what this call applied, and what releases without hashes did. */
async function recordHashes(
  db: Kysely<StoreSchema>,
  known: readonly FrozenMigration[],
): Promise<void> {
  const { count } = await db
    .selectFrom('migration_hashes')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) === known.length) return;
  await db
    .insertInto('migration_hashes')
    .values(known.map(({ name, sha256 }) => ({ name, sha256 })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function appliedNames(db: Kysely<StoreSchema>): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
