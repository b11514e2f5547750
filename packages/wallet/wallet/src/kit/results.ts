import type { Batch } from '../pools/pool-view.js';

/** Result of a deposit whose note can be withdrawn. */
export interface DepositResult {
  /** Commitment of the note as 0x hex. All addresses and hashes in results are also 0x hex. */
  readonly commitment: string;
  readonly pool: string;
  readonly token: string;
  /** Deposited amount, in the ERC-20 token's smallest unit. */
  readonly amount: bigint;
  readonly leafIndex: number;
  readonly batch: Batch;
  /** Transaction of the deposit; null if the pool's events don't contain it. */
  readonly transactionHash: string | null;
  /** Time of the deposit's block as Unix time in ms; null if the events contain no time. */
  readonly depositedAtMs: number | null;
}

/** Result of a withdrawal at ACCEPTED_ON_L2, as the pool's events show it. */
export interface WithdrawalResult {
  readonly commitment: string;
  readonly pool: string;
  /** ERC-20 token of the payment; null if it is unknown. */
  readonly token: string | null;
  /** Amount that the recipient received, in the ERC-20 token's smallest unit; null if unknown. */
  readonly amount: bigint | null;
  /** Fee of the relayer, in the same unit; null if unknown. */
  readonly fee: bigint | null;
  readonly recipient: string;
  /** Batch that hid the withdrawal; null if the pool does not show the note's batch. */
  readonly batch: Batch | null;
  readonly transactionHash: string;
  /** Time at which this wallet saw the result, as Unix time in ms. */
  readonly seenAtMs: number;
}

/** Result of a private swap. */
export interface SwapResult extends WithdrawalResult {
  /**
   * `swapped`: the recipient got the output token. `withdrawn`: the swap reverted, and the
   * recipient got the pool's own token instead.
   */
  readonly outcome: 'swapped' | 'withdrawn';
  /** Transaction of the swap; null if it is unknown. */
  readonly swapTransactionHash: string | null;
}
