import type { Felt } from '@sotto/kernel';

/** A top-up by its row in the ledger. */
export interface PaidTopUp {
  readonly lane: Felt;
  /** In fri. */
  readonly amountFri: bigint;
  /** It has not ended yet. */
  readonly isLive: boolean;
}

/**
 * What the treasury has paid to lanes, by the ledger's own rows. Rejects with a `DomainError` when
 * the store can't answer.
 */
export abstract class TopUpBook {
  /** Top-ups that are on their way, and those that ended at or after the moment and succeeded. */
  abstract since(sinceMs: number): Promise<readonly PaidTopUp[]>;
}
