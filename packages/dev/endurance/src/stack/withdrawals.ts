import { toFelt } from '@sotto/kernel';
import { forgedCalldata } from '@sotto/load-kit';
import type { WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';

export const loadPool = sandboxWorld.pools.swap_input_1;
export const feeAddress = toFelt(sandboxWorld.accounts.feeCollector.address);
/** The tree's root, as it is set on chain: any number, since no test proves a path to it. */
export const ROOT = 0x5077_0000n;
/** The one batch that every withdrawal names. */
export const BATCH = { start: 0n, size: 3 } as const;
/** How many notes the pool can pay for: more than any run withdraws. */
export const NOTES = 1_000_000n;
/**
 * In sats: above what a withdrawal costs at four times the first prices of the chain, below the
 * pool's most.
 */
export const FEE_SATS = 900n;
/** Each withdrawal pays its own recipient. */
const FIRST_RECIPIENT = 2n ** 250n + 0x70_0000n;
export const FIRST_NULLIFIER = 0xabc_def0n;

/** As many withdrawals as a load wants, each sound, each of another note, for another recipient. */
export function withdrawalBody(
  index: number,
  root: bigint = ROOT,
  terms: Partial<ProofTerms> = {},
): WithdrawalBody {
  return {
    poolAddress: toFelt(loadPool.address),
    calldata: calldataOf(index, FIRST_RECIPIENT + BigInt(index), root, terms),
  };
}

/** Terms of a proof that have a default. */
export interface ProofTerms {
  /** In the token's smallest unit. @default {@link FEE_SATS} */
  readonly fee: bigint;
  /** @default {@link BATCH} */
  readonly batch: { readonly start: bigint; readonly size: number };
}

/** Calldata of the proof that spends a note for a recipient. */
export function calldataOf(
  index: number,
  recipient: bigint,
  root: bigint = ROOT,
  { fee = FEE_SATS, batch = BATCH }: Partial<ProofTerms> = {},
): readonly string[] {
  return forgedCalldata({
    root,
    relayer: BigInt(feeAddress),
    fee,
    batchStart: batch.start,
    batchSize: BigInt(batch.size),
    nullifierHash: FIRST_NULLIFIER + BigInt(index),
    recipient,
  });
}
