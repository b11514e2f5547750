import type { Felt } from '@sotto/kernel';
import { CommitmentInvalid, FeeAbovePoolMaximum, SlippageOutOfRange } from '../../errors.js';
import { OutputTokenNotSupported, MAX_SLIPPAGE_PPM, type PoolToken } from '@sotto/market-core';
import type { PoolStatus } from '../../pools/domain/pool.js';
import { PRIVATE_SWAP_ENTRYPOINT } from '../../pools/domain/private-swap-call.js';
import { BN254_SCALAR_ORDER } from '../../pools/domain/withdrawal.js';

const PPM = 1_000_000;

/** Terms that a swap has in addition to the terms of its withdrawal. */
export interface SwapTerms {
  /** Commitment of the note that the swap creates in the swap pool. */
  readonly newCommitment: bigint;
  readonly outputToken: Felt;
  /** Tolerance in millionths: 20,000 is 2 %. */
  readonly slippagePpm: number;
  /**
   * Minimum output, in the output token's smallest unit; above 0.
   * @default the minimum derived from the fair value
   */
  readonly minAmountOut?: bigint | undefined;
}

/** Limits of the terms that callers may choose. */
export interface SwapTermsPolicy {
  /** Allowed output tokens. */
  readonly outputTokens: readonly PoolToken[];
  /** Minimum tolerance that a request may choose, in millionths. */
  readonly minSlippagePpm: number;
}

/** @throws SlippageOutOfRange, CommitmentInvalid, OutputTokenNotSupported */
export function checkSwapTerms(
  { newCommitment, ...offer }: SwapTerms,
  policy: SwapTermsPolicy,
): void {
  checkSlippage(offer, policy);
  if (newCommitment <= 0n || newCommitment >= BN254_SCALAR_ORDER) throw new CommitmentInvalid();
  checkOutputToken(offer, policy);
}

/**
 * Checks those terms of a swap that do not depend on its notes.
 * @throws SlippageOutOfRange, OutputTokenNotSupported
 */
export function checkOffer(
  offer: Pick<SwapTerms, 'outputToken' | 'slippagePpm'>,
  policy: SwapTermsPolicy,
): void {
  checkSlippage(offer, policy);
  checkOutputToken(offer, policy);
}

function checkSlippage(
  { slippagePpm }: Pick<SwapTerms, 'slippagePpm'>,
  { minSlippagePpm }: SwapTermsPolicy,
): void {
  if (
    !Number.isInteger(slippagePpm) ||
    slippagePpm < minSlippagePpm ||
    slippagePpm > MAX_SLIPPAGE_PPM
  ) {
    throw slippageOutOfRange(minSlippagePpm);
  }
}

function checkOutputToken(
  { outputToken }: Pick<SwapTerms, 'outputToken'>,
  { outputTokens }: SwapTermsPolicy,
): void {
  if (!outputTokens.some(({ address }) => address === outputToken))
    throw new OutputTokenNotSupported();
}

/**
 * Returns the error for a tolerance outside the allowed range.
 * @param minSlippagePpm null if the service offers no swaps
 */
export function slippageOutOfRange(minSlippagePpm: number | null): SlippageOutOfRange {
  const minimum = minSlippagePpm === null ? {} : { minimum: minSlippagePpm / PPM };
  return new SlippageOutOfRange({ details: { ...minimum, maximum: MAX_SLIPPAGE_PPM / PPM } });
}

/**
 * Returns the terms as canonical text. Two texts are equal if and only if their terms are equal.
 */
export function swapTermsText({
  newCommitment,
  outputToken,
  slippagePpm,
  minAmountOut,
}: SwapTerms): readonly string[] {
  const least = minAmountOut === undefined ? [] : [String(minAmountOut)];
  return [
    PRIVATE_SWAP_ENTRYPOINT,
    `0x${newCommitment.toString(16)}`,
    outputToken,
    String(slippagePpm),
    ...least,
  ];
}

/**
 * Rule by which a pool pays out the yield of its deposits.
 * - `even_share`: each active deposit gets the same share of the yield.
 * - `denomination`: the rule can't be read from the pool's views. Only the denomination is
 *   expected; any additional amount is swapped as well.
 */
export type PayoutRule = 'denomination' | 'even_share';

/**
 * Returns the amount that a withdrawal pays to the swap pool: payout minus fee, in the smallest
 * unit of the pool's token.
 * @throws FeeAbovePoolMaximum if the fee is not below the payout
 */
export function amountToSwap(pool: PoolStatus, rule: PayoutRule, fee: bigint): bigint {
  const amount = pool.denomination + (rule === 'even_share' ? yieldShare(pool) : 0n) - fee;
  if (amount <= 0n)
    throw new FeeAbovePoolMaximum({
      details: { offered: String(fee), maximum: String(pool.maxFee) },
    });
  return amount;
}

function yieldShare({
  denomination,
  undeployedCount,
  activeDeposits,
  totalAssets,
}: PoolStatus): bigint {
  const active = BigInt(activeDeposits);
  const earned = totalAssets - (BigInt(undeployedCount) + active) * denomination;
  return active > 0n && earned > 0n ? earned / active : 0n;
}
