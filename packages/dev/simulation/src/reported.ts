import type { Felt } from '@sotto/kernel';

/** Data about an attempt that the judge knows from the request and the answer to the request. */
export interface KnownAttempt {
  readonly id: string;
  readonly key: string;
  readonly serial: number;
  readonly isProtected: boolean;
  readonly acceptedAtMs: number;
  /**
   * True if the ledger that contained the attempt was lost, and the current ledger does not contain
   * it.
   */
  isForgotten: boolean;
}

export type NewAttempt = Omit<KnownAttempt, 'isForgotten' | 'acceptedAtMs'>;

/** Answer that a caller received about an attempt. */
export interface ReportedAnswer {
  readonly atMs: number;
  readonly attempt: KnownAttempt;
  readonly kind: 'SUCCEEDED' | 'REVERTED' | 'rejected';
  readonly hash: Felt | null;
  readonly finality: 'PRE_CONFIRMED' | 'ACCEPTED_ON_L2' | 'ACCEPTED_ON_L1' | null;
}
