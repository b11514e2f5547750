import type { ReasonCode } from '@sotto/facts';
import type { ErrorDetails, Felt } from '@sotto/kernel';

/** Something that stands in the way of withdrawals. */
export interface Reason {
  readonly code: ReasonCode;
  /** The part that noticed it: `store`, `head`, `lanes`. */
  readonly component: string;
  /** For log and operator. Nothing private. */
  readonly details: ErrorDetails;
  /** Unix milliseconds. */
  readonly sinceMs: number;
}

export interface VerdictOnPool {
  /** Its name in the profile. */
  readonly key: string;
  readonly address: Felt;
  /** Nothing stands in the way: neither of the pool, nor of the instance. */
  readonly canWithdraw: boolean;
  /** Of this pool alone. */
  readonly reasons: readonly Reason[];
}

/** Whether a withdrawal can succeed now. */
export interface Verdict {
  /** When all parts had been looked at last, in Unix milliseconds; what timed out is older. */
  readonly asOfMs: number;
  /** Of this instance: they stand in the way in every pool. */
  readonly reasons: readonly Reason[];
  readonly pools: readonly VerdictOnPool[];
  /** What is wrong and stands in no withdrawal's way, because something else makes up for it. */
  readonly warnings: readonly Reason[];
}

/** What one look of one part found. */
export interface Obstacle {
  readonly code: ReasonCode;
  /** @default the part's scope decides */
  readonly pool?: Felt;
  readonly details?: ErrorDetails;
}

/** One thing that must work for withdrawals to succeed. */
export interface VerdictPart {
  /** Name of its check in readiness. */
  readonly component: string;
  /**
   * `instance`: what it finds makes this process unready. `pools`: callers, or one pool, can bring
   * it about, so it stands in the verdict on the pools and never makes the process unready.
   * `warning`: a spare is missing or a clock is wrong; what that blocks names itself.
   */
  readonly scope: 'instance' | 'pools' | 'warning';
  /** What a look that rejects with a `DomainError` means. */
  readonly failure: ReasonCode;
  /** A look that found nothing is not repeated sooner. @default at every refresh */
  readonly everyMs?: number;
  /** Empty when nothing stands in the way. */
  look(): Promise<readonly Obstacle[]>;
}
