import type { Felt } from '@sotto/kernel';

/** Top-up as read from its row in the ledger. */
export interface PaidTopUp {
  readonly lane: Felt;
  /** Amount in fri. */
  readonly amountFri: bigint;
  /** True while the attempt is in flight. */
  readonly isLive: boolean;
}

/**
 * Reads the treasury's payments to lanes from the ledger's rows. Rejects with a `DomainError` if
 * the store is unavailable.
 */
export abstract class TopUpStore {
  /** Returns top-ups in flight, and successful top-ups that ended at or after this time. */
  abstract since(sinceMs: number): Promise<readonly PaidTopUp[]>;
}
