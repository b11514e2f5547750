import type { Felt } from '@sotto/kernel';

/** An attempt as its request and the answer to it make it known. */
export interface KnownAttempt {
  readonly id: string;
  readonly key: string;
  readonly serial: number;
  readonly isProtected: boolean;
  readonly acceptedAtMs: number;
  /** Its ledger is lost: what it knew counts no more. */
  isForgotten: boolean;
}

export type NewAttempt = Omit<KnownAttempt, 'isForgotten' | 'acceptedAtMs'>;

/** One answer that a caller received. */
export interface ReportedAnswer {
  readonly atMs: number;
  readonly attempt: KnownAttempt;
  readonly kind: 'SUCCEEDED' | 'REVERTED' | 'rejected';
  readonly hash: Felt | null;
  readonly finality: 'PRE_CONFIRMED' | 'ACCEPTED_ON_L2' | 'ACCEPTED_ON_L1' | null;
}
