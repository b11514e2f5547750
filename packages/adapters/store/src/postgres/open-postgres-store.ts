import { systemClock, type Clock } from '@sotto/kernel';
import { Kysely, PostgresDialect } from 'kysely';
import { migrate, type MigrationOptions } from '../migrations/migrate.js';
import { SchemaWatch } from '../migrations/schema-watch.js';
import { postgresDialect } from './postgres-dialect.js';
import { postgresOrigin } from './postgres-origin.js';
import { PostgresInstanceBus } from './postgres-instance-bus.js';
import { StorePool, connectionOptions, type Limits } from './postgres-pool.js';
import type { StoreSchema } from '../schema.js';
import { SqlLedger } from '../ledger/sql-ledger.js';
import { migrationOptions, storeOn, type OpenedStore, type StoreOptions } from '../store.js';

export interface PostgresStoreOptions extends StoreOptions {
  /**
   * URL `postgres://user:password@host:port/database`, with parameters such as `sslmode`. Secret.
   */
  readonly url: string;
  /** Maximum connections to the database, in addition to the connection for notifications. */
  readonly poolSize: number;
  /**
   * Longest wait for a statement, and for a row that another writer has locked, in milliseconds.
   * @default 10000
   */
  readonly statementTimeoutMs?: number;
  /**
   * Longest wait for a new connection, in milliseconds. The timeout while the store is being opened
   * may be longer. @default 5000
   */
  readonly connectTimeoutMs?: number;
  /**
   * Clock of the store; tests only.
   * @default the database's clock, so that instances need not have synchronised clocks
   */
  readonly clock?: Pick<Clock, 'nowMs' | 'monotonicMs'>;
}

/**
 * Opens all stores in one PostgreSQL database and updates its schema. If several instances open the
 * database at the same time, one instance migrates and the others wait.
 *
 * An acknowledged write survives a killed server and a power cut. Any number of instances may have
 * the database open. A write locks the rows that it depends on. If another writer was faster, the
 * write is repeated.
 * @throws LedgerUnavailable if the database is unreachable, and the errors of {@link migrate}
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<OpenedStore> {
  const {
    url,
    poolSize,
    statementTimeoutMs = 10_000,
    connectTimeoutMs = 5_000,
    clock = null,
  } = options;
  const lost = (error: Error): void =>
    options.logger?.warn({ error }, 'a connection to the database broke');
  const limits: Limits = { statementTimeoutMs, connectTimeoutMs };
  const migrations = migrationOptions(options, 'postgres');
  await bringUpToDate(url, limits, lost, migrations);

  const pool = new StorePool(url, { ...limits, poolSize }, lost);
  const db = new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool }) });
  const origin = await postgresOrigin(db, postgresDialect(db, clock));
  const unguarded = postgresDialect(db, clock, origin);
  const schema = new SchemaWatch(db, unguarded, migrations);
  const bus = new PostgresInstanceBus(connectionOptions(url, limits), {
    isAlone: schema.isAlone,
    clock: systemClock,
    logger: options.logger,
  });
  await bus.start();
  const dialect = schema.guarded(unguarded);
  const ledger = new SqlLedger(db, dialect, options.decide);
  let closed: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await bus.close();
    await ledger.idle();
    await schema.leave();
    await pool.end();
  };
  return {
    ...storeOn(db, dialect, options, ledger, schema),
    bus,
    close: () => (closed ??= close()),
  };
}

/**
 * Timeout for a connection while the store is being opened, in milliseconds. The timeout is long,
 * because the service has no requests at that time and the database may be slow.
 */
const OPENING_MS = 30_000;

/**
 * Applies migrations over a separate connection without a time limit, because a migration of this
 * or another instance may need any amount of time.
 */
async function bringUpToDate(
  url: string,
  limits: Limits,
  lost: (error: Error) => void,
  migrations: MigrationOptions,
): Promise<void> {
  const pool = new StorePool(
    url,
    {
      connectTimeoutMs: Math.max(limits.connectTimeoutMs, OPENING_MS),
      statementTimeoutMs: 0,
      poolSize: 1,
    },
    lost,
  );
  const db = new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool }) });
  try {
    await migrate(db, postgresDialect(db, null), migrations);
  } finally {
    await db.destroy();
  }
}
