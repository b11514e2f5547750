import { DatabaseSync } from 'node:sqlite';
import type { Felt } from '@sotto/kernel';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { mapStoreErrors } from '../map-store-errors.js';
import { frozenMigrations } from '../migrations/frozen-migrations.js';
import {
  appliedNames,
  differingFrom,
  excludingIn,
  schemaOf,
  skippedAmong,
} from '../migrations/migrate.js';
import { StorePool } from '../postgres/postgres-pool.js';
import type { StoreSchema } from '../schema.js';
import type { SqlDialect } from '../sql-dialect.js';
import { NodeSqliteDatabase } from '../sqlite/node-sqlite.js';
import { NO_LOG, NodeSqliteDialect } from '../sqlite/sqlite-driver.js';

/** State of a store as seen by a read-only inspection. */
export interface StoreInspection {
  /** Migrations of this release that the next start will apply. */
  readonly pendingMigrations: readonly string[];
  /**
   * Migrations that are missing although a later migration was applied. The first migration also
   * counts as missing in two other cases: its tables exist without its record, as after an aborted
   * restore, or its record exists without its tables. A start rejects such a store.
   */
  readonly skippedMigrations: readonly string[];
  /**
   * Migrations that a newer release applied and that exclude this release from running. A start
   * rejects a store with such migrations.
   */
  readonly unknownMigrations: readonly string[];
  /** Migrations that were applied with a text that differs from the text in this release. */
  readonly differingMigrations: readonly string[];
  /** Content of the ledger; null if the store's schema is not the schema of this release. */
  readonly ledger: InspectedLedger | null;
  /**
   * Current time of the database's clock, in milliseconds; null for a SQLite file, which has no
   * clock.
   */
  readonly nowMs: number | null;
}

export interface InspectedLedger {
  /** Chain to which the ledger belongs; null before the first start of the service. */
  readonly chain: { readonly chainId: Felt; readonly genesisHash: Felt } | null;
  readonly lanes: readonly InspectedLane[];
}

export interface InspectedLane {
  readonly address: Felt;
  /** Id of the instance that was the last holder of the lane's lease; null if there was none. */
  readonly leasedTo: string | null;
  readonly leasedAtMs: number;
  readonly leaseUntilMs: number;
  /** True if the ledger knows the account's next nonce. */
  readonly isIntroduced: boolean;
}

/** Table that the first migration creates and that no later migration removes. */
const OF_FIRST = 'lanes';

/**
 * Maximum wait in milliseconds for a file that another process writes to, and for a database
 * statement.
 */
const WAIT_MS = 2_000;

/**
 * Reads a SQLite store without changing it.
 * @throws LedgerUnavailable if the file can't be opened or is not a store
 */
export async function inspectSqliteStore(path: string): Promise<StoreInspection> {
  const database = await mapStoreErrors(
    async () => new DatabaseSync(path, { readOnly: true, timeout: WAIT_MS }),
  );
  const dialect = new NodeSqliteDialect({
    database: new NodeSqliteDatabase(database),
    log: NO_LOG,
  });
  return inspect(new Kysely<StoreSchema>({ dialect }), 'sqlite');
}

/**
 * Reads a PostgreSQL store without changing it.
 * @throws LedgerUnavailable if the database is unreachable
 */
export async function inspectPostgresStore(url: string): Promise<StoreInspection> {
  const limits = { connectTimeoutMs: WAIT_MS, statementTimeoutMs: WAIT_MS, poolSize: 1 };
  const pool = new StorePool(url, limits, () => {});
  return inspect(new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool }) }), 'postgres');
}

async function inspect(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect['name'],
): Promise<StoreInspection> {
  try {
    return await mapStoreErrors(async () => {
      const known = frozenMigrations(dialect);
      const tables = await tablesOf(db, dialect);
      const applied = tables.has('kysely_migration') ? await appliedNames(db) : [];
      const pendingMigrations = known.flatMap(({ name }) => (applied.includes(name) ? [] : [name]));
      const unknownMigrations = await excludingIn(db, known, applied);
      const [first] = known.map(({ name }) => name);
      const isWhole = first === undefined || tables.has(OF_FIRST) === applied.includes(first);
      const isOfThisRelease =
        isWhole && pendingMigrations.length === 0 && unknownMigrations.length === 0;
      return {
        pendingMigrations,
        skippedMigrations: isWhole ? skippedAmong(known, applied) : [first],
        unknownMigrations,
        differingMigrations: tables.has('migration_hashes') ? await differingFrom(known, db) : [],
        ledger: isOfThisRelease ? await ledgerIn(db) : null,
        nowMs: dialect === 'sqlite' ? null : await databaseTime(db),
      };
    });
  } finally {
    await db.destroy();
  }
}

/**
 * Returns only the tables of the ledger's schema, because another program may have tables with the
 * same names in another schema.
 */
async function tablesOf(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect['name'],
): Promise<ReadonlySet<string>> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const current = await schemaOf(db, dialect);
  return new Set(tables.flatMap(({ name, schema }) => (schema === current ? [name] : [])));
}

async function ledgerIn(db: Kysely<StoreSchema>): Promise<InspectedLedger> {
  const chain = await db
    .selectFrom('chain')
    .select(['chain_id', 'genesis_hash'])
    .executeTakeFirst();
  const lanes = await db.selectFrom('lanes').selectAll().orderBy('address').execute();
  const { chain_id: chainId = null, genesis_hash: genesisHash = null } = chain ?? {};
  return {
    chain: chainId === null || genesisHash === null ? null : { chainId, genesisHash },
    lanes: lanes.map((lane) => ({
      address: lane.address,
      leasedTo: lane.leased_to,
      leasedAtMs: Number(lane.leased_at_ms),
      leaseUntilMs: Number(lane.lease_until_ms),
      isIntroduced: lane.next_nonce !== null,
    })),
  };
}

async function databaseTime(db: Kysely<StoreSchema>): Promise<number> {
  const { rows } = await sql<{
    now: bigint;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
  return Number(rows[0]?.now ?? 0n);
}
