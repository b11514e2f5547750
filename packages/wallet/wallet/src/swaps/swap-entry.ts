import type { JourneyError } from '../journeys/journey-error.js';
import type { RequestState } from '../relayers/request-state.js';

/**
 * State of a private swap. `swapped`: the new note is to be withdrawn. `reverted`: the proof is
 * public and the original note is being withdrawn plainly. `withdrawn`: that withdrawal has
 * settled. `stopped`, `needs-new-quote` and `failed` swaps can be started again.
 */
export type PrivateSwapState =
  | 'open'
  | 'swapped'
  | 'settled'
  | 'reverted'
  | 'withdrawn'
  | 'needs-new-quote'
  | 'stopped'
  | 'failed';

/** Proof that the swap's relayer may have seen and may still put on chain. */
export interface SwapPosting extends RequestState {
  readonly quoteId: string;
  readonly calldata: readonly string[];
}

/** Journal entry of a private swap, as plain JSON. The notes are not in it. */
export interface SwapEntry {
  readonly state: PrivateSwapState;
  /** 0x hex, like all that follow. */
  readonly chainId: string;
  readonly pool: string;
  readonly swapPool: string;
  readonly commitment: string;
  readonly nullifierHash: string;
  readonly outputToken: string;
  /** Private until the withdrawal is on chain. */
  readonly recipient: string;
  /** Decimal digits, in the output token's smallest unit. */
  readonly minAmountOut: string;
  /** Fraction; null for the relayer's default. */
  readonly slippage: number | null;
  /** Decimal digits. */
  readonly maxFee: string;
  /** Decimal digits, in the output token's smallest unit. */
  readonly maxWithdrawalFee: string;
  /** Unix time in ms. */
  readonly begunAtMs: number;
  /** New note, which the wallet's keys can derive again; null before it is chosen. */
  readonly output: { readonly index: number; readonly commitment: string } | null;
  /** Address of the only relayer that may have seen a proof. */
  readonly relayer: string | null;
  readonly posting: SwapPosting | null;
  /** Transaction of the swap. */
  readonly transactionHash: string | null;
  readonly leafIndex: number | null;
  /** Settled withdrawal: of the new note or, after a revert, of the original one. */
  readonly payment: { readonly transactionHash: string } | null;
  /** Error that ended the swap, unless it settled. */
  readonly error: Omit<JourneyError, 'cause'> | null;
}
