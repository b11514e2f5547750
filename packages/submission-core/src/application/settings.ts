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
  /** Bounds of a usual call: a lane that can't pay them is short of funds even while nobody waits. @default those of a no-op */
  readonly usualLimits?: ResourceLimits;
  /** A nonce that is undecided for so long is shown to the operator. @default 300_000, the mempool's lifetime */
  readonly attentionAfterMs?: number;
  /** True: no refusal is believed and nothing is released, because the provider fans out or retries. */
  readonly strict: boolean;
  /** Calldata and signed bytes are wiped so long after the end. */
  readonly retentionMs: number;
  readonly wipeIntervalMs: number;
}

/**
 * Named places at which tests stop the process, each between a durable write or send and what would follow from it:
 * a request is written (`accepted`), a first transaction with its claim (`prepared`), one more claim (`claimed`); a send is answered (`sent`),
 * and its refusal written (`refused`); what shall take a nonce is written but not claimed (`replaced`, `filled`, `cancelled`); the chain has
 * shown who took a nonce (`settling`), and that is written (`settled`); private data is wiped (`wiped`).
 */
export const CHECKPOINTS = [
  'accepted',
  'prepared',
  'claimed',
  'sent',
  'refused',
  'replaced',
  'filled',
  'cancelled',
  'settling',
  'settled',
  'wiped',
] as const;
export type Checkpoint = (typeof CHECKPOINTS)[number];

/** Called at each checkpoint, before anybody is told of it. */
export type CheckpointHook = (checkpoint: Checkpoint) => void;
