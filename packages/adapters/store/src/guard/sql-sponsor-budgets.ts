import { KeyedMutex } from '@sotto/kernel';
import type { SponsorBudgets } from '@sotto/relayer-core';
import type { Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';

/**
 * Sums of promised gas, stored in a SQL database. The sums have more bits than the integers of both
 * databases, so the new sum is computed here. A sum is written only if the stored sum is still the
 * one that was read. A write fails only if another one succeeded, so the retries end.
 */
export class SqlSponsorBudgets implements SponsorBudgets {
  /** Runs the calls of this process for one sponsor in turn, so that they need few retries. */
  readonly #turns = new KeyedMutex();

  constructor(private readonly db: Kysely<StoreSchema>) {}

  async reserve(
    sponsor: string,
    day: number,
    amountFri: bigint,
    budgetFri: bigint,
  ): Promise<boolean> {
    return this.#change(sponsor, day, (reservedFri) => {
      const sumFri = (reservedFri ?? 0n) + amountFri;
      return sumFri > budgetFri ? null : sumFri;
    });
  }

  async release(sponsor: string, day: number, amountFri: bigint): Promise<void> {
    await this.#change(sponsor, day, (reservedFri) => {
      if (reservedFri === null) return null;
      return reservedFri > amountFri ? reservedFri - amountFri : 0n;
    });
  }

  async forget(beforeDay: number): Promise<number> {
    const { numDeletedRows } = await this.db
      .deleteFrom('sponsor_spending')
      .where('day', '<', BigInt(beforeDay))
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  /**
   * Replaces a sum in fri by the result of `next`. The sum is null if none is stored. Returns false
   * and writes nothing if the result is null.
   */
  async #change(
    sponsor: string,
    day: number,
    next: (reservedFri: bigint | null) => bigint | null,
  ): Promise<boolean> {
    return this.#turns.run(sponsor, async () => {
      for (;;) {
        const row = await this.db
          .selectFrom('sponsor_spending')
          .select('reserved_fri')
          .where('sponsor', '=', sponsor)
          .where('day', '=', BigInt(day))
          .executeTakeFirst();
        const sumFri = next(row === undefined ? null : BigInt(row.reserved_fri));
        if (sumFri === null) return false;
        if (await this.#write(sponsor, BigInt(day), row?.reserved_fri ?? null, String(sumFri)))
          return true;
      }
    });
  }

  /** Returns true if the sum was still `before`; null means that no sum was stored. */
  async #write(
    sponsor: string,
    day: bigint,
    before: string | null,
    reserved_fri: string,
  ): Promise<boolean> {
    if (before === null) {
      const { numInsertedOrUpdatedRows } = await this.db
        .insertInto('sponsor_spending')
        .values({ sponsor, day, reserved_fri })
        .onConflict((conflict) => conflict.columns(['sponsor', 'day']).doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    }
    const { numUpdatedRows } = await this.db
      .updateTable('sponsor_spending')
      .set({ reserved_fri })
      .where('sponsor', '=', sponsor)
      .where('day', '=', day)
      .where('reserved_fri', '=', before)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }
}
