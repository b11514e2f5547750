import type { Felt } from '@sotto/kernel';
import type { ExecutionStatus } from '../domain/rows.js';

/** A transaction that was stored under an archived nonce. */
export interface ArchivedTransaction {
  readonly hash: Felt;
  readonly kind: 'call' | 'noop';
  /** Public id of the attempt whose call it carries; null for a no-op. */
  readonly submission: string | null;
  readonly priceStep: number;
  readonly l2MaxAmount: bigint;
  readonly l2MaxPriceFri: bigint;
  readonly l1MaxAmount: bigint;
  readonly l1MaxPriceFri: bigint;
  readonly l1DataMaxAmount: bigint;
  readonly l1DataMaxPriceFri: bigint;
  readonly tipFri: bigint;
  readonly refusalCode: string | null;
}

/** A nonce whose end is final, and everything that could have consumed it. Nothing private. */
export interface ArchivedNonce {
  readonly lane: Felt;
  readonly nonce: bigint;
  /** The same as `nonce`, but for a range that was imported. */
  readonly through: bigint;
  readonly submission: string | null;
  readonly settledBy: Felt | null;
  readonly isForeign: boolean;
  readonly execution: ExecutionStatus | null;
  readonly blockNumber: number | null;
  readonly blockHash: Felt | null;
  readonly feeFri: bigint | null;
  readonly settledAtMs: number;
  readonly transactions: readonly ArchivedTransaction[];
}

/** Keeps archived rows. Resolves once they would survive a power cut. */
export type KeepArchived = (rows: readonly ArchivedNonce[]) => Promise<void>;

/** Moves out of the ledger what it needs no more. */
export abstract class LedgerArchive {
  /**
   * Takes each lane's oldest nonces, and the transactions under them, out of the ledger, as far as
   * all of them were settled longer ago than `retentionMs`, are final and wiped, and no attempt
   * with a call there is any younger. `keep` has kept rows before they are deleted, so some may be
   * kept twice and none is lost.
   *
   * Attempts stay, with key, id, fingerprint and outcome: the same request gets the same answer for
   * ever. One row stands for the nonces that are gone, as for imported ones, so lanes have no gap.
   * Returns how many nonces went. Rejects with `LedgerUnavailable`, and with what `keep` rejects
   * with.
   */
  abstract archive(retentionMs: number, keep: KeepArchived): Promise<number>;
}
