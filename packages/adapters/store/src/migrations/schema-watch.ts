import type { Logger } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import { sql, type Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';
import { timeOf, type SqlDialect } from '../sql-dialect.js';
import { INSTANCE_TTL_MS, excludingMigrations, newerMigrations } from './compatibility.js';
import { newestSchema, type FrozenMigration } from './frozen-migrations.js';
import { ProfileWatch, type OtherProcess } from './profile-watch.js';
import { Statement } from '../statement.js';

export interface SchemaWatchOptions {
  readonly instance: string;
  /** Hash of this process's network profile; null to compare no profiles. */
  readonly profile: string | null;
  readonly known: readonly FrozenMigration[];
  readonly logger: Logger;
}

const countedMigrations = new Statement<object, { readonly applied: bigint }>((db) => ({
  compile: () =>
    sql<{
      applied: bigint;
    }>`select count(*) as applied from kysely_migration`.compile(db),
}));

/**
 * Renews this process's row in the table `instances`, and compares it with the rows of other
 * processes. Stops this process's writes if a newer
 * release has applied a migration that excludes this release.
 */
export class SchemaWatch {
  #excluding: readonly string[] = [];
  /** Number of applied migrations at the last read of their names; null before the first read. */
  #applied: bigint | null = null;
  #isRegistered = false;
  #isAlone = false;
  readonly #profiles: ProfileWatch;

  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: Pick<SqlDialect, 'time' | 'write'>,
    private readonly options: SchemaWatchOptions,
  ) {
    this.#profiles = new ProfileWatch(options.profile, options.logger);
  }

  /**
   * Checks for newer migrations and renews this process's row.
   * @throws LedgerUnavailable if the schema is too new; the cause code is `SCHEMA_IS_NEWER`
   */
  async renew(): Promise<void> {
    let isAlone = false;
    try {
      const others = await this.dialect.write(this.db, (within) => this.#renewIn(within));
      isAlone = others.length === 0;
      this.#profiles.compare(others);
    } finally {
      this.#isAlone = isAlone;
    }
    this.#isRegistered = true;
  }

  /** Renews the row of this process. Returns the other processes that have the store open. */
  async #renewIn(within: Kysely<StoreSchema>): Promise<readonly OtherProcess[]> {
    const { instance, known, profile } = this.options;
    await this.#poll(within, await appliedIn(within));
    const schema = BigInt(newestSchema(known));
    const seen = { schema, seen_at_ms: timeOf(this.dialect), profile };
    await within
      .insertInto('instances')
      .values({ id: instance, ...seen })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(seen))
      .execute();
    const others = await within
      .selectFrom('instances')
      .select(['id', 'seen_at_ms', 'profile'])
      .where('id', '<>', instance)
      .where('seen_at_ms', '>', timeOf(this.dialect, -INSTANCE_TTL_MS))
      .execute();
    return others.map(({ id, profile: other, seen_at_ms: seenAtMs }) => ({
      id,
      seenAtMs,
      profile: other,
    }));
  }

  /**
   * Returns true if the last renewal found no other running process. Returns false while this is
   * unknown. The next renewal finds a process that starts later.
   */
  readonly isAlone = (): boolean => this.#isAlone;

  /** @throws LedgerUnavailable if the last check found a migration that excludes this release */
  assertCurrent(): void {
    if (this.#excluding.length > 0)
      throw new LedgerUnavailable({
        message: 'a newer release has changed the schema of the ledger',
        causeCode: 'SCHEMA_IS_NEWER',
        details: { unknownMigrations: this.#excluding.join(', ') },
      });
  }

  /**
   * Returns the dialect that all other writes of this process must use. If a transaction locks the
   * whole database, a write first counts the applied migrations, and reads their names if the count
   * has changed. If writers run concurrently, a count would not exclude a migration that commits
   * later, so the result of the last check is used.
   */
  guarded(dialect: SqlDialect): SqlDialect {
    return {
      ...dialect,
      write: async (db, work) => {
        this.assertCurrent();
        return dialect.write(db, async (within) => {
          if (!dialect.rowLocks) await this.#assertUnchanged(within);
          return work(within);
        });
      },
    };
  }

  async #assertUnchanged(within: Kysely<StoreSchema>): Promise<void> {
    const applied = await appliedIn(within);
    if (applied !== this.#applied) await this.#poll(within, applied);
  }

  async #poll(within: Kysely<StoreSchema>, applied: bigint): Promise<void> {
    const { known, logger } = this.options;
    const excluding = excludingMigrations(await newerMigrations(within, known), known);
    if (excluding.length > 0 && this.#excluding.length === 0)
      logger.error(
        { unknownMigrations: excluding.join(', ') },
        'a newer release has changed the schema: this instance writes no more',
      );
    this.#excluding = excluding;
    this.#applied = applied;
    this.assertCurrent();
  }

  /**
   * Deletes the row of this process, and the rows of processes that ended without deleting their
   * rows.
   */
  async leave(): Promise<void> {
    if (!this.#isRegistered) return;
    // If the store is unavailable, the row remains and expires.
    await this.db
      .deleteFrom('instances')
      .where((eb) =>
        eb.or([
          eb('id', '=', this.options.instance),
          eb('seen_at_ms', '<', timeOf(this.dialect, -INSTANCE_TTL_MS)),
        ]),
      )
      .execute()
      .catch(() => undefined);
  }
}

async function appliedIn(within: Kysely<StoreSchema>): Promise<bigint> {
  const row = await countedMigrations.first(within, {});
  if (row === undefined) throw new Error('the migrations could not be counted');
  return row.applied;
}
