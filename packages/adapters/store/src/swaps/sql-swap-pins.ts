import { createHash } from 'node:crypto';
import {
  withdrawalKey,
  type Pinning,
  type SwapPin,
  type SwapPins,
  type SwappedNote,
} from '@sotto/relayer-core';
import type { Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';

/** Pins of private swaps, stored in a SQL database. */
export class SqlSwapPins implements SwapPins {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  async pin(pin: SwapPin): Promise<Pinning> {
    const { newCommitment, outputToken, floor } = pin;
    const { numInsertedOrUpdatedRows: inserted } = await this.db
      .insertInto('swap_pins')
      .values({
        note: digestOf(pin),
        new_commitment: hex(newCommitment),
        output_token: outputToken,
        floor: String(floor),
      })
      // The conflict may be on the note or on the commitment.
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (inserted === 1n) return { kind: 'pinned', pin };
    const standing = await this.#find(pin);
    if (standing === null) return { kind: 'commitment_taken' };
    const isSame = standing.newCommitment === newCommitment && standing.outputToken === outputToken;
    return { kind: isSame ? 'same' : 'other_terms', pin: standing };
  }

  find(note: SwappedNote): Promise<SwapPin | null> {
    return this.#find(note);
  }

  async #find({ chainId, pool, nullifierHash }: SwappedNote): Promise<SwapPin | null> {
    const note = { chainId, pool, nullifierHash };
    const row = await this.db
      .selectFrom('swap_pins')
      .selectAll()
      .where('note', '=', digestOf(note))
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      ...note,
      newCommitment: BigInt(row.new_commitment),
      outputToken: row.output_token,
      floor: BigInt(row.floor),
    };
  }
}

/** Returns the identifier of a note in the table of pins: the SHA-256 of the note's key. */
function digestOf({ chainId, pool, nullifierHash }: SwappedNote): string {
  return createHash('sha256')
    .update(withdrawalKey(chainId, pool, nullifierHash))
    .digest('hex');
}

const hex = (value: bigint): string => `0x${value.toString(16)}`;
