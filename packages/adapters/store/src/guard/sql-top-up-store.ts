import type { PaidTopUp, TopUpStore } from '@sotto/relayer-core';
import type { Kysely } from 'kysely';
import { ATTEMPT_IS_LIVE, type AttemptsTable, type StoreSchema } from '../schema.js';
import { Statement } from '../statement.js';

type Row = Pick<AttemptsTable, 'id' | 'subject' | 'memo'>;

const live = new Statement<object, Row>((db) =>
  db
    .selectFrom('attempts')
    .select(['id', 'subject', 'memo'])
    .where('kind', '=', 'top_up')
    // Live attempts have no end time, so the index covers every attempt of a kind.
    .where('ended_at_ms', 'is', null)
    .where(ATTEMPT_IS_LIVE),
);

const paid = new Statement<{ readonly sinceMs: bigint }, Row>((db, { sinceMs }) =>
  db
    .selectFrom('attempts')
    .select(['id', 'subject', 'memo'])
    .where('ended_at_ms', '>=', sinceMs)
    .where('kind', '=', 'top_up')
    .where('state', '=', 'succeeded'),
);

/** Transfers of the treasury, from the ledger's table. */
export class SqlTopUpStore implements TopUpStore {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  async since(sinceMs: number): Promise<readonly PaidTopUp[]> {
    // Transfers that have not ended are read first. A transfer that ends between the two reads is
    // in both results but is counted once.
    const onTheirWay = await live.all(this.db, {});
    const ended = await paid.all(this.db, { sinceMs: BigInt(sinceMs) });
    const byId = new Map<string, PaidTopUp>();
    for (const row of onTheirWay) byId.set(row.id, paidBy(row, true));
    for (const row of ended) byId.set(row.id, paidBy(row, false));
    return [...byId.values()];
  }
}

function paidBy({ subject, memo }: Row, isLive: boolean): PaidTopUp {
  return { lane: subject, amountFri: BigInt(memo ?? 0), isLive };
}
