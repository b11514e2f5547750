import type { Felt } from '@sotto/kernel';
import { CommitmentInvalid, FeeAbovePoolMaximum, SlippageOutOfRange } from '../../errors.js';
import { OutputTokenNotSupported, MAX_SLIPPAGE_PPM, type PoolToken } from '@sotto/market-core';
import type { PoolStatus } from '../../pools/domain/pool.js';
import { PRIVATE_SWAP_ENTRYPOINT } from '../../pools/domain/private-swap-call.js';
import { BN254_SCALAR_ORDER } from '../../pools/domain/withdrawal.js';

const PPM = 1_000_000;

/** What a swap fixes beside the withdrawal. */
export interface SwapTerms {
  /** Of the note that the swap leaves in the swap pool. */
  readonly newCommitment: bigint;
  readonly outputToken: Felt;
  /** Tolerance in millionths: 20,000 is 2 %. */
  readonly slippagePpm: number;
  /**
   * Least that may come out, in the output token's smallest unit; above 0.
   * @default what follows from the fair value
   */
  readonly minAmountOut?: bigint | undefined;
}

/** What terms are allowed. */
export interface SwapTermsPolicy {
  /** The tokens that may be swapped into. */
  readonly outputTokens: readonly PoolToken[];
  /** Least tolerance, in millionths. */
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
 * The same for terms that name no note.
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
 * What a tolerance outside its bounds is refused with.
 * @param minSlippagePpm null where nothing is swapped
 */
export function slippageOutOfRange(minSlippagePpm: number | null): SlippageOutOfRange {
  const minimum = minSlippagePpm === null ? {} : { minimum: minSlippagePpm / PPM };
  return new SlippageOutOfRange({ details: { ...minimum, maximum: MAX_SLIPPAGE_PPM / PPM } });
}

/** The terms as canonical text: equal exactly when the terms are. */
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
 * How a pool pays out what its deposits have earned.
 * - `even_share`: each active deposit has the same part of the yield.
 * - `denomination`: by a rule that its views do not show. Only the denomination is counted on; what
 *   comes above it is swapped as well.
 */
export type PayoutRule = 'denomination' | 'even_share';

/**
 * What a withdrawal brings to the swap pool: payout less fee, in the smallest unit of the pool's
 * token.
 * @throws FeeAbovePoolMaximum when the fee leaves nothing.
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
