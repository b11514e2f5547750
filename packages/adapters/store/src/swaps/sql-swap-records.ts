import type { Felt } from '@sotto/kernel';
import { PRIVATE_SWAP_ENTRYPOINT, type KeptSwapCall, type SwapRecords } from '@sotto/relayer-core';
import type { Kysely } from 'kysely';
import { toFelts } from '../ledger/calldata.js';
import type { StoreSchema } from '../schema.js';

/** Records of swaps, stored in a SQL database. */
export class SqlSwapRecords implements SwapRecords {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  async kept(after: bigint, limit: number): Promise<readonly KeptSwapCall[]> {
    const rows = await this.db
      .selectFrom('calldata')
      .innerJoin('attempts', 'attempts.id', 'calldata.submission_id')
      .select(['attempts.seq', 'attempts.target_to', 'calldata.words'])
      .where('attempts.target_entrypoint', '=', PRIVATE_SWAP_ENTRYPOINT)
      .where('attempts.seq', '>', after)
      .orderBy('attempts.seq')
      .limit(limit)
      .execute();
    return rows.map(({ seq, target_to: swapPool, words }) => ({
      seq,
      swapPool,
      calldata: toFelts(words),
    }));
  }

  async readUpTo(account: Felt): Promise<bigint> {
    const row = await this.db
      .selectFrom('swap_owners')
      .select('read_up_to')
      .where('address', '=', account)
      .executeTakeFirst();
    return row?.read_up_to ?? 0n;
  }

  async noteReadUpTo(account: Felt, nonce: bigint): Promise<void> {
    await this.db
      .insertInto('swap_owners')
      .values({ address: account, read_up_to: nonce })
      .onConflict((conflict) =>
        conflict
          .column('address')
          .doUpdateSet({ read_up_to: nonce })
          .where('swap_owners.read_up_to', '<', nonce),
      )
      .execute();
  }
}
