import type { ExpiredBefore, FeeQuote, QuoteStore, Redemption } from '@sotto/relayer-core';
import type { Kysely } from 'kysely';
import { fromFeeQuote, toFeeQuote } from './quote-rows.js';
import type { StoreSchema } from '../schema.js';

/** Fee quotes, stored in a SQL database. */
export class SqlQuoteStore implements QuoteStore {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  async add(quote: FeeQuote): Promise<void> {
    await this.db
      .insertInto('quotes')
      .values({ ...fromFeeQuote(quote), served_key: null })
      .execute();
  }

  async find(id: string): Promise<FeeQuote | null> {
    const row = await this.db
      .selectFrom('quotes')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row === undefined ? null : toFeeQuote(row);
  }

  redeem(id: string, key: string, nowMs: number): Promise<Redemption> {
    return this.db.transaction().execute(async (db) => {
      const row = await db
        .updateTable('quotes')
        .set({ served_key: key })
        .where('id', '=', id)
        .where((eb) =>
          eb.or([
            eb('served_key', '=', key),
            eb.and([eb('served_key', 'is', null), eb('expires_at_ms', '>', BigInt(nowMs))]),
          ]),
        )
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? whyNot(db, id) : { kind: 'redeemed', quote: toFeeQuote(row) };
    });
  }

  async forget({ usedMs, unusedMs }: ExpiredBefore): Promise<number> {
    const { numDeletedRows } = await this.db
      .deleteFrom('quotes')
      .where('expires_at_ms', '<', BigInt(Math.max(usedMs, unusedMs)))
      .where((eb) =>
        eb.or([
          eb.and([eb('served_key', 'is not', null), eb('expires_at_ms', '<', BigInt(usedMs))]),
          eb.and([eb('served_key', 'is', null), eb('expires_at_ms', '<', BigInt(unusedMs))]),
        ]),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}

/**
 * Returns the reason why the conditional update matched no row. Runs within the transaction of the
 * update.
 */
async function whyNot(db: Kysely<StoreSchema>, id: string): Promise<Redemption> {
  const row = await db
    .selectFrom('quotes')
    .select('served_key')
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return { kind: 'unknown' };
  return { kind: row.served_key === null ? 'expired' : 'used' };
}
