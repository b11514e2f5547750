import { MerkleTree } from '@sotto/wallet/advanced';
import { toFelt } from '@sotto/kernel';
import { forgedCalldata } from '@sotto/load-kit';
import type { WithdrawalBody } from '@sotto/process-kit';
import { FEE_ADDRESS } from './site.js';

const FIRST_NULLIFIER = 0xabc_def0n;
const FIRST_RECIPIENT = 2n ** 250n + 0x70_0000n;

/** Returns the body of a withdrawal request. */
export function bodyFor(
  { address }: { readonly address: bigint },
  calldata: readonly string[],
): WithdrawalBody {
  return { poolAddress: toFelt(address), calldata };
}

/**
 * Forged withdrawals from a pool that contains exactly these leaves, all deployed in batches of
 * three. The service must verify with the trapdoor key. Forging needs no proof computation, for any
 * number of withdrawals.
 */
export class ForgedWithdrawals {
  readonly #root: bigint;

  /** @param feeSats fee of each withdrawal, in sats */
  constructor(
    leaves: readonly bigint[],
    readonly feeSats: bigint,
  ) {
    this.#root = MerkleTree.of(leaves).root;
  }

  /**
   * Returns calldata with a different nullifier for each index. @param recipient recipient of the
   * withdrawal @default the address that {@link recipientOf} returns for the index
   */
  calldata(index: number, recipient = this.recipientOf(index)): readonly string[] {
    return forgedCalldata({
      root: this.#root,
      nullifierHash: this.nullifierOf(index),
      recipient,
      relayer: FEE_ADDRESS,
      fee: this.feeSats,
      batchStart: 0n,
      batchSize: 3n,
    });
  }

  nullifierOf(index: number): bigint {
    return FIRST_NULLIFIER + BigInt(index);
  }

  /** Returns a different recipient address for each index. */
  recipientOf(index: number): bigint {
    return FIRST_RECIPIENT + BigInt(index);
  }
}

/**
 * Returns `count` different leaves. A forged proof needs no secrets, so the secrets of these leaves
 * are unknown.
 */
export function anyLeaves(count: number): readonly bigint[] {
  return Array.from({ length: count }, (_, index) => BigInt(index + 1));
}
