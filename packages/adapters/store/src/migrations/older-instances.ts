import type { Clock } from '@sotto/kernel';
import { sql, type Kysely } from 'kysely';
import { OlderInstancesRun } from '../errors.js';
import type { StoreSchema } from '../schema.js';
import { momentBefore, type SqlDialect } from '../sql-dialect.js';
import { INSTANCE_TTL_MS } from './compatibility.js';
import type { FrozenMigration } from './frozen-migrations.js';

/** Schema since which a lane says when it was leased. */
const WITH_LEASE_TIMES = 5;
/**
 * Wait that shows whether a process writes a row that is old or has this process's name, in
 * milliseconds. A live process writes its row about once per second.
 */
const STILL_ROW_MS = 3_000;

/** A time in a row as this process last saw it. */
interface Sighting {
  readonly atMs: bigint;
  /** Monotonic time since which it is so. */
  readonly sinceMs: number;
  /** True once the row has changed since the first look: a process writes it. */
  readonly hasChanged: boolean;
}

/**
 * Instances that a migration has to wait for. The clock that wrote a row may differ from the one
 * that reads it, so each row counts until it has stood still, measured by this process's monotonic
 * time: 3 s if it is old or this process's, else for as long as it is valid.
 */
export class OlderInstances {
  readonly #sightings = new Map<string, Sighting>();
  /** True once a row of this process's name has changed: another process writes it. */
  #isNameShared = false;

  /** @param instance this process, whose own lanes and row of before a restart do not count */
  constructor(
    private readonly instance: string,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {}

  /**
   * Rejects a migration while an instance that may not run beside it is alive. Called within the
   * migration's transaction. On PostgreSQL no instance registers or takes a lane between this check
   * and the commit.
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
      // A clock that is behind makes rows of a live process old too.
      const mayBeDead = id === this.instance || seenAtMs <= nowMs - BigInt(INSTANCE_TTL_MS);
      const limitMs = mayBeDead && !hasChanged ? STILL_ROW_MS : INSTANCE_TTL_MS;
      return unchangedMs < limitMs ? [id] : [];
    });
  }

  /** Holders of lanes without a row: processes of releases before the table of instances. */
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

  /** Time for which this time in a row of the instance has not changed, and whether it ever has. */
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
