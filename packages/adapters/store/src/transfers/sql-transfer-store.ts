import type { Transfer, TransferStore } from '@sotto/bridge-core';
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../sql-dialect.js';
import type { StoreSchema } from '../schema.js';
import { fromTransfer, toTransfer } from './transfer-rows.js';

/**
 * Maximum number of times that an update is tried. If concurrent writers insert the same transfer,
 * all of them except the first must read the inserted row and try again.
 */
const MAX_TRIES = 5;

/** Last known states of transfers, stored in a SQL database. */
export class SqlTransferStore implements TransferStore {
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: SqlDialect,
  ) {}

  get(transactionId: string): Promise<Transfer | null> {
    return this.#load(this.db, transactionId, false);
  }

  async update(
    transactionId: string,
    nowMs: number,
    change: (remembered: Transfer | null) => Transfer,
  ): Promise<Transfer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#updateOnce(transactionId, nowMs, change);
      } catch (error) {
        if (tries === MAX_TRIES || !this.dialect.lostRace(error)) throw error;
      }
    }
  }

  async forget({ usedMs, unusedMs }: { usedMs: number; unusedMs: number }): Promise<number> {
    const { numDeletedRows } = await this.db
      .deleteFrom('transfers')
      .where('changed_at_ms', '<', BigInt(Math.max(usedMs, unusedMs)))
      .where((eb) => {
        const isUnused = eb.and([
          eb('next', '=', 'pending'),
          eb('deposit_detected_at', 'is', null),
          eb('deposit_detected_tx', 'is', null),
          eb('unconfirmed_since', 'is', null),
        ]);
        return eb.or([
          eb.and([isUnused, eb('changed_at_ms', '<', BigInt(unusedMs))]),
          eb.and([eb.not(isUnused), eb('changed_at_ms', '<', BigInt(usedMs))]),
        ]);
      })
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  async countUnconfirmed(sinceSeconds: number): Promise<number> {
    const { count } = await this.db
      .selectFrom('transfers')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('unconfirmed_since', '<=', BigInt(sinceSeconds))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  #updateOnce(
    transactionId: string,
    nowMs: number,
    change: (remembered: Transfer | null) => Transfer,
  ): Promise<Transfer> {
    return this.db.transaction().execute(async (db) => {
      const remembered = await this.#load(db, transactionId, this.dialect.rowLocks);
      const transfer = change(remembered);
      if (transfer === remembered) return transfer;
      const columns = { ...fromTransfer(transfer), changed_at_ms: BigInt(nowMs) };
      // An insert is used, because an upsert would overwrite a row that was not read here.
      if (remembered === null)
        await db
          .insertInto('transfers')
          .values({ transaction_id: transactionId, ...columns })
          .execute();
      else
        await db
          .updateTable('transfers')
          .set(columns)
          .where('transaction_id', '=', transactionId)
          .execute();
      return transfer;
    });
  }

  async #load(
    db: Kysely<StoreSchema>,
    transactionId: string,
    lock: boolean,
  ): Promise<Transfer | null> {
    const row = await db
      .selectFrom('transfers')
      .selectAll()
      .where('transaction_id', '=', transactionId)
      .$if(lock, (query) => query.forUpdate())
      .executeTakeFirst();
    return row === undefined ? null : toTransfer(row);
  }
}
