import type { Felt } from '@sotto/kernel';

/** Attempt, as the judge knows it from the request and the answer to the request. */
export interface KnownAttempt {
  readonly id: string;
  readonly key: string;
  readonly serial: number;
  readonly isProtected: boolean;
  readonly acceptedAtMs: number;
  /** True if the current ledger does not contain the attempt because an earlier ledger was lost. */
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
