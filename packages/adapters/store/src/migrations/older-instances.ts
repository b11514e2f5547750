import type { Clock } from '@sotto/kernel';
import { sql, type Kysely } from 'kysely';
import { OlderInstancesRun } from '../errors.js';
import type { StoreSchema } from '../schema.js';
import { momentBefore, type SqlDialect } from '../sql-dialect.js';
import { INSTANCE_TTL_MS } from './compatibility.js';
import type { FrozenMigration } from './frozen-migrations.js';

/** First schema in which lanes record the times of their leases. */
const WITH_LEASE_TIMES = 5;
/**
 * Time in milliseconds after which an unchanged row proves that its process has ended. This limit
 * is for a row that is already old, and for the row with this process's name. A running process
 * writes its row about once per second.
 */
const STILL_ROW_MS = 3_000;

/** Time value of another process's row, as this process last read it. */
interface Sighting {
  readonly atMs: bigint;
  /** Monotonic time in milliseconds since which the time value has been unchanged. */
  readonly sinceMs: number;
  /**
   * True if the value has changed since this process first read it, which proves that another
   * process writes the row.
   */
  readonly hasChanged: boolean;
}

/**
 * Detects instances for which a migration must wait. The clocks of writer and reader may differ. An
 * instance is therefore considered running until its row has been unchanged for some time on this
 * process's monotonic clock. The required time is 3 s for an old row and for the row with this
 * process's name. For all other rows, it is the row's validity period.
 */
export class OlderInstances {
  readonly #sightings = new Map<string, Sighting>();
  /**
   * True if a row with this process's name has changed although this process did not write it. Then
   * another process uses the same name.
   */
  #isNameShared = false;

  /**
   * @param instance name of this process; its own lanes, and its row from before a restart, do not
   *   delay a migration
   */
  constructor(
    private readonly instance: string,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {}

  /**
   * Rejects a migration while an instance that the migration excludes is running. Called within the
   * migration's transaction. PostgreSQL locks prevent any instance from registering or leasing a
   * lane between this check and the commit.
   * @throws OlderInstancesRun
   */
  async checkNoneExcluded(
    db: Kysely<StoreSchema>,
    dialect: SqlDialect,
    migration: FrozenMigration,
  ): Promise<void> {
    if (migration.schema <= WITH_LEASE_TIMES) return;
    const registered = await hasInstances(db, dialect);
    if (dialect.name === 'postgres')
      await sql`lock table ${sql.table(registered ? 'instances' : 'lanes')} in share row exclusive mode`.execute(
        db,
      );
    const nowMs = await momentBefore(db, dialect, 0);
    const excluded = new Set([
      ...(await this.#unregisteredHolders(db, nowMs, registered)),
      ...(registered ? await this.#olderRows(db, nowMs, migration.runsBeside) : []),
    ]);
    if (excluded.size === 0) return;
    const instances = [...excluded].toSorted().join(', ');
    const isShared = this.#isNameShared && excluded.has(this.instance);
    throw new OlderInstancesRun({
      message: `${OlderInstancesRun.meaning} Instances: ${instances}. Migration: ${migration.name}.${
        isShared ? ` Another process has the INSTANCE_ID of this one, ${this.instance}.` : ''
      }`,
      details: {
        migration: migration.name,
        instances,
        ...(isShared ? { sharedInstanceId: this.instance } : {}),
      },
    });
  }

  async #olderRows(
    db: Kysely<StoreSchema>,
    nowMs: bigint,
    runsBeside: number,
  ): Promise<readonly string[]> {
    const rows = await db
      .selectFrom('instances')
      .select(['id', 'seen_at_ms'])
      .where('schema', '<', BigInt(runsBeside))
      .execute();
    return rows.flatMap(({ id, seen_at_ms: seenAtMs }) => {
      const { unchangedMs, hasChanged } = this.#see(id, 'row', seenAtMs);
      // The row of a running process also seems old if the clock of that process is behind.
      const mayBeDead = id === this.instance || seenAtMs <= nowMs - BigInt(INSTANCE_TTL_MS);
      const limitMs = mayBeDead && !hasChanged ? STILL_ROW_MS : INSTANCE_TTL_MS;
      return unchangedMs < limitMs ? [id] : [];
    });
  }

  /**
   * Returns the holders of lane leases that have no row in `instances`. These processes are of
   * releases from before that table existed.
   */
  async #unregisteredHolders(
    db: Kysely<StoreSchema>,
    nowMs: bigint,
    registered: boolean,
  ): Promise<readonly string[]> {
    const leases = await db
      .selectFrom('lanes')
      .select(['address', 'leased_to', 'leased_at_ms', 'lease_until_ms'])
      .where('leased_to', 'is not', null)
      .where('lease_until_ms', '>', nowMs)
      .execute();
    const known = registered ? await db.selectFrom('instances').select('id').execute() : [];
    const ids = new Set(known.map(({ id }) => id));
    return leases.flatMap((lease) => {
      const { leased_to: id, leased_at_ms: atMs, lease_until_ms: untilMs } = lease;
      if (id === null || ids.has(id)) return [];
      const { unchangedMs, hasChanged } = this.#see(id, lease.address, untilMs);
      if (id === this.instance && !hasChanged) return [];
      return unchangedMs < Number(untilMs - atMs) ? [id] : [];
    });
  }

  /**
   * Records that a row has this time value now. Returns the time in milliseconds for which the
   * value has been unchanged, and whether it ever changed.
   */
  #see(id: string, row: string, atMs: bigint): { unchangedMs: number; hasChanged: boolean } {
    const key = `${row} ${id}`;
    const nowMs = this.clock.monotonicMs();
    const last = this.#sightings.get(key);
    if (last?.atMs === atMs)
      return { unchangedMs: nowMs - last.sinceMs, hasChanged: last.hasChanged };
    const hasChanged = last !== undefined;
    this.#sightings.set(key, { atMs, sinceMs: nowMs, hasChanged });
    this.#isNameShared ||= hasChanged && id === this.instance;
    return { unchangedMs: 0, hasChanged };
  }
}

async function hasInstances(db: Kysely<StoreSchema>, dialect: SqlDialect): Promise<boolean> {
  const { rows } =
    dialect.name === 'sqlite'
      ? await sql`select 1 from sqlite_schema where name = 'instances'`.execute(db)
      : await sql`select 1 where to_regclass('instances') is not null`.execute(db);
  return rows.length > 0;
}
