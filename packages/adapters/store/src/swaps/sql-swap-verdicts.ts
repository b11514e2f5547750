import { PRIVATE_SWAP_ENTRYPOINT, type SwapVerdict, type SwapVerdicts } from '@sotto/relayer-core';
import type { Kysely } from 'kysely';
import { mapStoreErrors } from '../map-store-errors.js';
import type { StoreSchema } from '../schema.js';

/**
 * Verdicts about reverted swaps on a SQL database. Any error of the store becomes
 * `LedgerUnavailable`.
 */
export class SqlSwapVerdicts implements SwapVerdicts {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  decide(
    attemptId: string,
    { kind, decidedAtMs }: SwapVerdict,
  ): ReturnType<SwapVerdicts['decide']> {
    return mapStoreErrors(async () => {
      const { numInsertedOrUpdatedRows: inserted } = await this.db
        .insertInto('swap_verdicts')
        .values({ attempt_id: attemptId, verdict: kind, decided_at_ms: BigInt(decidedAtMs) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      const standing = await this.#find(attemptId);
      if (standing === null) throw new Error('a verdict is neither written nor there');
      return { standing, isOurs: inserted === 1n };
    });
  }

  find(attemptId: string): Promise<SwapVerdict | null> {
    return mapStoreErrors(() => this.#find(attemptId));
  }

  undecided(endedSinceMs: number, limit: number): Promise<readonly string[]> {
    return mapStoreErrors(async () => {
      const found = await this.db
        .selectFrom('attempts')
        .select('attempts.id')
        .where('attempts.ended_at_ms', '>=', BigInt(endedSinceMs))
        .where('attempts.role', '=', 'swap_owner')
        .where('attempts.state', '=', 'reverted')
        .where('attempts.target_entrypoint', '=', PRIVATE_SWAP_ENTRYPOINT)
        .where((rows) =>
          rows.not(
            rows.exists(
              rows
                .selectFrom('swap_verdicts')
                .select('attempt_id')
                .whereRef('attempt_id', '=', 'attempts.id'),
            ),
          ),
        )
        .where((rows) =>
          rows.not(
            rows.exists(
              rows
                .selectFrom('attempts as later')
                .select('later.seq')
                .whereRef('later.key', '=', 'attempts.key')
                .whereRef('later.attempt', '>', 'attempts.attempt'),
            ),
          ),
        )
        .orderBy('attempts.ended_at_ms')
        .orderBy('attempts.seq')
        .limit(limit)
        .execute();
      return found.map(({ id }) => id);
    });
  }

  async #find(attemptId: string): Promise<SwapVerdict | null> {
    const row = await this.db
      .selectFrom('swap_verdicts')
      .selectAll()
      .where('attempt_id', '=', attemptId)
      .executeTakeFirst();
    return row === undefined ? null : { kind: row.verdict, decidedAtMs: Number(row.decided_at_ms) };
  }
}
