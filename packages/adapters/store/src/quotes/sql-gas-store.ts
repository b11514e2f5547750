import {
  LEARNT_OPERATIONS,
  type GasStore,
  type GasUse,
  type LearntOperation,
  type SucceededRelay,
} from '@sotto/relayer-core';
import type { Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';

/**
 * Number of stored observations per entry point. One read covers the same number of ended attempts,
 * so an observation that was dropped is never read again.
 */
const KEPT = 100;

const isLearnt = (entrypoint: string): entrypoint is LearntOperation =>
  LEARNT_OPERATIONS.some((operation) => operation === entrypoint);

/** Gas used by succeeded transactions, stored in a SQL database. */
export class SqlGasStore implements GasStore {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  async newest(): Promise<readonly (SucceededRelay & { readonly isKnown: boolean })[]> {
    const rows = await this.db
      .selectFrom('attempts')
      .leftJoin('gas_uses', 'gas_uses.transaction_hash', 'attempts.transaction_hash')
      .select([
        'attempts.id',
        'attempts.subject',
        'attempts.state',
        'attempts.target_entrypoint',
        'attempts.transaction_hash',
        'attempts.ended_at_ms',
      ])
      .select('gas_uses.transaction_hash as known')
      .where('attempts.ended_at_ms', 'is not', null)
      .orderBy('attempts.ended_at_ms', 'desc')
      .orderBy('attempts.seq', 'desc')
      .limit(BigInt(KEPT))
      .execute();
    return rows.flatMap(
      ({
        id,
        subject: pool,
        state,
        target_entrypoint: operation,
        transaction_hash: transactionHash,
        ended_at_ms,
        known,
      }) => {
        if (state !== 'succeeded' || transactionHash === null || ended_at_ms === null) return [];
        if (!isLearnt(operation)) return [];
        const endedAtMs = Number(ended_at_ms);
        return [{ id, transactionHash, pool, operation, endedAtMs, isKnown: known !== null }];
      },
    );
  }

  async add(uses: readonly GasUse[]): Promise<void> {
    if (uses.length === 0) return;
    const rows = uses.map(({ transactionHash, pool, operation, l2Gas, l1DataGas, endedAtMs }) => ({
      transaction_hash: transactionHash,
      pool,
      operation,
      l2_gas: l2Gas,
      l1_data_gas: l1DataGas,
      ended_at_ms: BigInt(endedAtMs),
    }));
    await this.db
      .insertInto('gas_uses')
      .values(rows)
      .onConflict((conflict) => conflict.column('transaction_hash').doNothing())
      .execute();
    const kinds = new Map(
      rows.map(({ pool, operation }) => [`${pool}|${operation}`, { pool, operation }]),
    );
    for (const { pool, operation } of kinds.values()) {
      await this.db
        .deleteFrom('gas_uses')
        .where('pool', '=', pool)
        .where('operation', '=', operation)
        .where('transaction_hash', 'not in', (of) =>
          of
            .selectFrom('gas_uses')
            .select('transaction_hash')
            .where('pool', '=', pool)
            .where('operation', '=', operation)
            .orderBy('ended_at_ms', 'desc')
            .orderBy('transaction_hash')
            .limit(BigInt(KEPT)),
        )
        .execute();
    }
  }

  async uses(): Promise<readonly GasUse[]> {
    const rows = await this.db.selectFrom('gas_uses').selectAll().execute();
    return rows.map(
      ({
        transaction_hash: transactionHash,
        pool,
        operation,
        l2_gas: l2Gas,
        l1_data_gas: l1DataGas,
        ended_at_ms,
      }) => ({
        transactionHash,
        pool,
        operation,
        l2Gas,
        l1DataGas,
        endedAtMs: Number(ended_at_ms),
      }),
    );
  }
}
