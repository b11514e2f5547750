import type { JourneyError } from '../journeys/journey-error.js';
import type { RequestState } from '../relayers/request-state.js';

/**
 * How a private swap stands. In `swapped` the new note is to be withdrawn. In `reverted` the proof
 * is public and the swap's own note is being withdrawn plainly; in `withdrawn` it has been.
 * `stopped`, `needs-new-quote` and `failed` can be begun again.
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

/** A proof that the swap's relayer may have seen and may still bring on chain. */
export interface SwapPosting extends RequestState {
  readonly quoteId: string;
  readonly calldata: readonly string[];
}

/** What the journal keeps of a private swap: plain JSON. Neither note is in it. */
export interface SwapEntry {
  readonly state: PrivateSwapState;
  /** 0x hex, as all that follow. */
  readonly chainId: string;
  readonly pool: string;
  readonly swapPool: string;
  readonly commitment: string;
  readonly nullifierHash: string;
  readonly outputToken: string;
  /** Private, until the chain shows it. */
  readonly recipient: string;
  /** Decimal digits, in the output token's smallest unit. */
  readonly minAmountOut: string;
  /** A fraction; null: the relayer's default. */
  readonly slippage: number | null;
  /** Decimal digits. */
  readonly maxFee: string;
  /** Decimal digits, in the output token's smallest unit. */
  readonly maxWithdrawalFee: string;
  /** Unix time in ms. */
  readonly begunAtMs: number;
  /** The new note, as the wallet's keys give it again; null before it is chosen. */
  readonly output: { readonly index: number; readonly commitment: string } | null;
  /** The address of the only relayer that may have seen a proof. */
  readonly relayer: string | null;
  readonly posting: SwapPosting | null;
  /** Of the swap. */
  readonly transactionHash: string | null;
  readonly leafIndex: number | null;
  /** The withdrawal of the new note, or of the note after a revert, once that has settled. */
  readonly payment: { readonly transactionHash: string } | null;
  /** Why it has ended, unless it has settled. */
  readonly error: Omit<JourneyError, 'cause'> | null;
}
