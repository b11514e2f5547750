import type { ClosesStore, DailyClose, SourcedClose } from '@sotto/dca-core';
import type { Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';

/** Maximum rows per statement, because both databases limit the number of parameters. */
const ROWS_AT_ONCE = 500;

/** Daily closing prices of BTC, stored in a SQL database. */
export class SqlClosesStore implements ClosesStore {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  async closes(fromDay: number, toDay: number): Promise<readonly SourcedClose[]> {
    const rows = await this.db
      .selectFrom('daily_closes')
      .selectAll()
      .where('day', '>=', BigInt(fromDay))
      .where('day', '<=', BigInt(toDay))
      .execute();
    return (
      rows
        .map(({ source, day, usd_e8 }) => ({ source, day: Number(day), usdE8: BigInt(usd_e8) }))
        // Sorted here, because the text collation differs between databases.
        .toSorted((a, b) => a.day - b.day || (a.source < b.source ? -1 : 1))
    );
  }

  async keep(source: string, closes: readonly DailyClose[]): Promise<void> {
    const rows = [...new Map(closes.map(({ day, usdE8 }) => [day, usdE8]))]
      .toSorted(([a], [b]) => a - b)
      .map(([day, usdE8]) => ({ source, day: BigInt(day), usd_e8: usdE8.toString() }));
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      await this.db
        .insertInto('daily_closes')
        .values(rows.slice(from, from + ROWS_AT_ONCE))
        .onConflict((conflict) =>
          conflict
            .columns(['day', 'source'])
            .doUpdateSet((eb) => ({ usd_e8: eb.ref('excluded.usd_e8') })),
        )
        .execute();
  }
}
