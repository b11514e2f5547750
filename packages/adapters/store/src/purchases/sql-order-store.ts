import type { OrderStore, OrderProgress } from '@sotto/dca-core';
import type { Felt } from '@sotto/kernel';
import type { Kysely } from 'kysely';
import { ORDER_IS_OPEN, type StoreSchema } from '../schema.js';

/** Maximum rows per statement, because both databases limit the number of parameters. */
const ROWS_AT_ONCE = 500;
/** Number of digits of the largest u64. */
const ID_DIGITS = 20;

/** Open purchase orders of purchase contracts, stored in a SQL database. */
export class SqlOrderStore implements OrderStore {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  async progress(contract: Felt): Promise<OrderProgress | null> {
    const row = await this.db
      .selectFrom('purchase_progress')
      .selectAll()
      .where('contract', '=', contract)
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      nextBlock: Number(row.next_block),
      safe: { number: Number(row.safe_number), hash: row.safe_hash },
    };
  }

  advance(
    contract: Felt,
    { nextBlock, safe }: OrderProgress,
    opened: readonly bigint[],
  ): Promise<void> {
    const progress = {
      next_block: BigInt(nextBlock),
      safe_number: BigInt(safe.number),
      safe_hash: safe.hash,
    };
    return this.db.transaction().execute(async (db) => {
      // The progress row is written first, so that concurrent writers wait for each other.
      await db
        .insertInto('purchase_progress')
        .values({ contract, ...progress })
        .onConflict((conflict) => conflict.column('contract').doUpdateSet(progress))
        .execute();
      for (const ids of slices(opened))
        await db
          .insertInto('purchase_orders')
          .values(ids.map((order_id) => ({ contract, order_id, has_ended: 0n })))
          .onConflict((conflict) => conflict.columns(['contract', 'order_id']).doNothing())
          .execute();
    });
  }

  async open(contract: Felt, after: bigint | null, limit: number): Promise<readonly bigint[]> {
    const rows = await this.db
      .selectFrom('purchase_orders')
      .select('order_id')
      .where('contract', '=', contract)
      .where(ORDER_IS_OPEN)
      .$if(after !== null, (query) => query.where('order_id', '>', storedId(after ?? 0n)))
      .orderBy('order_id')
      .limit(BigInt(limit))
      .execute();
    return rows.map(({ order_id }) => BigInt(order_id));
  }

  async end(contract: Felt, orderIds: readonly bigint[]): Promise<void> {
    for (const ids of slices(orderIds))
      await this.db
        .updateTable('purchase_orders')
        .set({ has_ended: 1n })
        .where('contract', '=', contract)
        .where('order_id', 'in', ids)
        .execute();
  }

  forget(contract: Felt): Promise<void> {
    return this.db.transaction().execute(async (db) => {
      await db.deleteFrom('purchase_progress').where('contract', '=', contract).execute();
      await db.deleteFrom('purchase_orders').where('contract', '=', contract).execute();
    });
  }
}

function storedId(orderId: bigint): string {
  return orderId.toString().padStart(ID_DIGITS, '0');
}

/**
 * Returns the ids of purchase orders in stored form, divided into groups for one statement each.
 * All writers use the same sequence of ids.
 */
function slices(orderIds: readonly bigint[]): readonly (readonly string[])[] {
  const ids = [...new Set(orderIds.map(storedId))].toSorted();
  return Array.from({ length: Math.ceil(ids.length / ROWS_AT_ONCE) }, (_, index) =>
    ids.slice(index * ROWS_AT_ONCE, (index + 1) * ROWS_AT_ONCE),
  );
}
