import type { Felt } from '@sotto/kernel';

/** An attempt as known from its request and the answer to it. */
export interface KnownAttempt {
  readonly id: string;
  readonly key: string;
  readonly serial: number;
  readonly isProtected: boolean;
  readonly acceptedAtMs: number;
  /** True if its ledger is lost. */
  isForgotten: boolean;
}

export type NewAttempt = Omit<KnownAttempt, 'isForgotten' | 'acceptedAtMs'>;

/** An answer that a caller received. */
export interface ReportedAnswer {
  readonly atMs: number;
  readonly attempt: KnownAttempt;
  readonly kind: 'SUCCEEDED' | 'REVERTED' | 'rejected';
  readonly hash: Felt | null;
  readonly finality: 'PRE_CONFIRMED' | 'ACCEPTED_ON_L2' | 'ACCEPTED_ON_L1' | null;
}
