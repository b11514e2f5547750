import { Felts, feltToBigInt, u256FromHalves, u256ToHalves, type Felt } from '@sotto/kernel';
import { CommitmentInvalid, FeeAbovePoolMaximum, SlippageOutOfRange } from '../../errors.js';
import {
  OutputTokenNotSupported,
  SwapRouteTooLong,
  MAX_SLIPPAGE_PPM,
  type CheckedSwap,
  type PoolToken,
} from '@sotto/market-core';
import type { PoolStatus } from '../../pools/domain/pool.js';
import { BN254_SCALAR_ORDER } from '../../withdrawals/domain/withdrawal.js';

/** The swap pool's method. Only its owner may call it. */
export const PRIVATE_SWAP_ENTRYPOINT = 'private_swap';

/**
 * Longest calldata of a transaction. Source: versioned constants of Starknet 0.14,
 * max_calldata_length.
 */
const TRANSACTION_CALLDATA_MAX = 5_000;
/**
 * What an account's `__execute__` puts before the calldata of its one call: number of calls,
 * address, selector, length.
 */
const EXECUTE_OVERHEAD = 4;

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
 * The terms that a `private_swap` call shows, as canonical text. The tolerance is not among them:
 * calldata holds only the least output that came of it and of a quote. Never equal to a {@link
 * swapTermsText}.
 */
export function shownSwapTermsText({
  newCommitment,
  outputToken,
}: Pick<SwapTerms, 'newCommitment' | 'outputToken'>): readonly string[] {
  return [PRIVATE_SWAP_ENTRYPOINT, `0x${newCommitment.toString(16)}`, outputToken];
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

/**
 * Calldata of `private_swap(wbtc_pool, proof_calldata, new_commitment, output_token,
 * min_amount_out, routes)`.
 * @param proof with its length felt
 * @throws SwapRouteTooLong when it does not fit into a transaction.
 */
export function privateSwapCalldata(
  wbtcPool: Felt,
  proof: Felts,
  terms: SwapTerms,
  swap: Pick<CheckedSwap, 'minimumOut' | 'routes'>,
): Felts {
  const felts = join(
    Felts.of([feltToBigInt(wbtcPool)]),
    proof,
    Felts.of([
      ...u256ToHalves(terms.newCommitment),
      feltToBigInt(terms.outputToken),
      ...u256ToHalves(swap.minimumOut),
    ]),
    swap.routes,
  );
  const maximum = TRANSACTION_CALLDATA_MAX - EXECUTE_OVERHEAD;
  if (felts.length > maximum)
    throw new SwapRouteTooLong({ details: { felts: felts.length, maximum } });
  return felts;
}

/** What the calldata of {@link privateSwapCalldata} shows. */
export interface ShownSwap extends Pick<SwapTerms, 'newCommitment' | 'outputToken'> {
  readonly wbtcPool: Felt;
  /** With its length felt. */
  readonly proof: Felts;
  /** In the output token's smallest unit. */
  readonly minimumOut: bigint;
}

/** Where what follows the proof begins: pool and length felt come before it. */
const PROOF_AT = 2;
/** Commitment, token and least output: 2 + 1 + 2; then the number of routes. */
const AFTER_PROOF_FELTS = 6;

/**
 * Null for felts that are laid out otherwise. The routes are not looked at, and the proof only for
 * its length.
 */
export function readPrivateSwapCalldata(felts: Felts): ShownSwap | null {
  if (felts.length < PROOF_AT) return null;
  const proofLength = felts.at(1);
  if (proofLength > BigInt(felts.length - PROOF_AT - AFTER_PROOF_FELTS)) return null;
  const end = PROOF_AT + Number(proofLength);
  const newCommitment = u256At(felts, end);
  const minimumOut = u256At(felts, end + 3);
  if (newCommitment === null || minimumOut === null) return null;
  return {
    wbtcPool: felts.feltAt(0),
    proof: felts.slice(1, end),
    newCommitment,
    outputToken: felts.feltAt(end + 2),
    minimumOut,
  };
}

/** Null when a half is out of range. */
function u256At(felts: Felts, index: number): bigint | null {
  const [low, high] = [felts.at(index), felts.at(index + 1)];
  return low >> HALF_BITS === 0n && high >> HALF_BITS === 0n ? u256FromHalves(low, high) : null;
}

const HALF_BITS = 128n;

function join(...parts: readonly Felts[]): Felts {
  return Felts.fromBytes(Buffer.concat(parts.map((part) => part.toBytes())));
}
