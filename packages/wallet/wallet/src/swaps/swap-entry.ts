import type { Admission, GuardTerms } from '../guard/admission.js';
import type { JourneyError } from '../journeys/journey-error.js';
import type { RequestState } from '../relayers/request-state.js';

/**
 * State of a private swap. `swapped`: the new note must still be withdrawn. `reverted`: the proof
 * is public and the original note is being withdrawn plainly. `withdrawn`: the plain withdrawal has
 * settled. Swaps in the states `stopped`, `needs-new-quote` and `failed` can be started again.
 */
export type PrivateSwapState = (typeof PRIVATE_SWAP_STATES)[number];

export const PRIVATE_SWAP_STATES = [
  'open',
  'swapped',
  'settled',
  'reverted',
  'withdrawn',
  'needs-new-quote',
  'stopped',
  'failed',
] as const;

/** Proof that the swap's relayer may have received. The relayer may still put it on chain. */
export interface SwapPosting extends RequestState {
  readonly quoteId: string;
  readonly calldata: readonly string[];
}

/** Journal entry of a private swap, as plain JSON. The entry does not contain the notes. */
export interface SwapEntry {
  readonly state: PrivateSwapState;
  /** Chain id as 0x hex. The fields from `pool` to `recipient` are also 0x hex. */
  readonly chainId: string;
  readonly pool: string;
  readonly swapPool: string;
  readonly commitment: string;
  readonly nullifierHash: string;
  readonly outputToken: string;
  /** Recipient of the withdrawal, which stays private until the withdrawal is on chain. */
  readonly recipient: string;
  /** Minimum output as decimal digits, in the output token's smallest unit. */
  readonly minAmountOut: string;
  /** Slippage as a fraction; null for the relayer's default. */
  readonly slippage: number | null;
  /** Maximum fee of the swap as decimal digits, in the smallest unit of the pool's ERC-20 token. */
  readonly maxFee: string;
  /** Maximum fee of the withdrawal as decimal digits, in the output token's smallest unit. */
  readonly maxWithdrawalFee: string;
  /** Overrides and bounds that the caller named, for the swap and the new note's withdrawal. */
  readonly guard: GuardTerms;
  /** Null until the guard has admitted the swap, which the check then confirms. */
  readonly admission: Admission | null;
  /** Maximum delay in ms of the new note's withdrawal. */
  readonly mostDelayMs: number;
  /** Start of the swap, as Unix time in ms. */
  readonly begunAtMs: number;
  /** New note, which the wallet's keys can derive again; null before the new note is chosen. */
  readonly output: { readonly index: number; readonly commitment: string } | null;
  /**
   * Base URL of the only relayer that may have seen a proof; null if no relayer may have seen a
   * proof.
   */
  readonly relayer: string | null;
  readonly posting: SwapPosting | null;
  /** Hash of the swap's transaction; null before it is known. */
  readonly transactionHash: string | null;
  readonly leafIndex: number | null;
  /**
   * Settled withdrawal of the new note or, after a revert, of the original note; null until such a
   * withdrawal has settled.
   */
  readonly payment: { readonly transactionHash: string } | null;
  /** Error that ended the swap; null if no error ended it. */
  readonly error: Omit<JourneyError, 'cause'> | null;
}
