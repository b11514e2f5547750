import type { Felt } from '@sotto/kernel';
import type { AnswerAt } from '../domain/answer.js';
import type { ResourceLimits } from '../domain/resource-bounds.js';
import type { LaneRole } from '../domain/rows.js';

/** One account that may sign, and for what. */
export interface LaneIdentity {
  readonly address: Felt;
  readonly role: LaneRole;
}

/** How the machine behaves. Times only decide when to look or to send again, never what happened. */
export interface SubmissionSettings {
  /** Name of this instance: leases are held under it. */
  readonly instance: string;
  readonly lanes: readonly LaneIdentity[];
  /** @default 'preconfirmed' */
  readonly answerAt: AnswerAt;
  /** Undecided nonces of one lane at a time. */
  readonly maxInFlightPerLane: number;
  /** How often the chain is looked at while something is in flight. */
  readonly pollIntervalMs: number;
  /** How often it is looked at while nothing is. */
  readonly idleIntervalMs: number;
  readonly leaseTtlMs: number;
  readonly resendAfterMs: number;
  /** An attempt that got no nonce for so long ends as expired. */
  readonly queueTimeoutMs: number;
  /** From here on a sent attempt is only followed and cancelled. */
  readonly deadlineMs: number;
  /** Most that is ever offered for a unit of L2 gas, in fri. */
  readonly ceilingL2PriceFri: bigint;
  readonly noopLimits: ResourceLimits;
  /** True: no refusal is believed and nothing is released, because the provider fans out or retries. */
  readonly strict: boolean;
  /** Calldata and signed bytes are wiped so long after the end. */
  readonly retentionMs: number;
  readonly wipeIntervalMs: number;
}

/** Named places of the happy path at which tests stop the process. */
export type Checkpoint = 'accepted' | 'prepared' | 'sent' | 'settling';

/** Called at each checkpoint, right after the durable write or send that it names. */
export type CheckpointHook = (checkpoint: Checkpoint) => void;
