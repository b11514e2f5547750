import type { Felt } from '@sotto/kernel';

/** Top-up, from its row in the ledger. */
export interface PaidTopUp {
  readonly lane: Felt;
  /** Amount in fri. */
  readonly amountFri: bigint;
  /** True until the attempt has ended. */
  readonly isLive: boolean;
}

/**
 * Payments of the treasury to lanes, from the ledger's rows. Rejects with a `DomainError` if the
 * store is unavailable.
 */
export abstract class TopUpBook {
  /** Returns top-ups in flight, and successful ones that ended at or after this time. */
  abstract since(sinceMs: number): Promise<readonly PaidTopUp[]>;
}
