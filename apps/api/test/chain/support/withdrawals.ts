import { MerkleTree } from '@sotto/wallet';
import { toFelt } from '@sotto/kernel';
import { forgedCalldata } from '@sotto/load-kit';
import type { WithdrawalBody } from '@sotto/process-kit';
import { FEE_ADDRESS } from './site.js';

const FIRST_NULLIFIER = 0xabc_def0n;
const FIRST_RECIPIENT = 2n ** 250n + 0x70_0000n;

/** As the interface takes a withdrawal. */
export function bodyFor(
  { address }: { readonly address: bigint },
  calldata: readonly string[],
): WithdrawalBody {
  return { poolAddress: toFelt(address), calldata };
}

/**
 * Withdrawals of a pool with these leaves, all deployed in batches of three, for a service that
 * checks by the trapdoor key: as many as a test wants, in no time.
 */
export class ForgedWithdrawals {
  readonly #root: bigint;

  /** @param feeSats of each */
  constructor(
    leaves: readonly bigint[],
    readonly feeSats: bigint,
  ) {
    this.#root = MerkleTree.of(leaves).root;
  }

  /** Each spends a nullifier of its own. @param recipient @default {@link recipientOf} it */
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

  /** An address of its own for each. */
  recipientOf(index: number): bigint {
    return FIRST_RECIPIENT + BigInt(index);
  }
}

/** So many leaves; their secrets are unknown, and a forged proof needs none. */
export function anyLeaves(count: number): readonly bigint[] {
  return Array.from({ length: count }, (_, index) => BigInt(index + 1));
}
