import type { Felt } from '@sotto/kernel';
import type { AnswerAt } from '../domain/answer.js';
import type { ResourceLimits } from '../domain/resource-bounds.js';
import type { LaneRole } from '../domain/rows.js';

/** Account that may sign, and its role. */
export interface LaneIdentity {
  readonly address: Felt;
  readonly role: LaneRole;
  /**
   * True if the lane accepts no new work. The service continues to follow its transactions in
   * flight. @default false
   */
  readonly isRetiring?: boolean;
  /**
   * True if this process never leases the lane and leaves its work to other processes. The process
   * still compares the lane with the chain. @default false
   */
  readonly isLeftToOthers?: boolean;
}

/**
 * Statement of an operator that these accounts have no transaction in flight that a new ledger
 * cannot know. Contains the chain and the nonce of every account. The statement is void once the
 * chain or a nonce differs, so a forgotten setting has no effect. `always` is for development.
 */
export type LedgerAcceptance = 'always' | AcceptedAccounts | null;

/** Chain and account nonces that an operator has verified. */
export interface AcceptedAccounts {
  readonly chainId: Felt;
  readonly nonces: ReadonlyMap<Felt, bigint>;
}

/**
 * Settings of the machine. The times in these settings decide only when the machine polls or sends
 * again, and never the outcome of a submission.
 */
export interface SubmissionSettings {
  /** Name under which this instance holds leases. */
  readonly instance: string;
  /**
   * Id of the expected chain. A poll that shows another chain proves nothing, and the lane stops
   * sending.
   */
  readonly chainId: Felt;
  readonly lanes: readonly LaneIdentity[];
  /** @default 'preconfirmed' */
  readonly answerAt: AnswerAt;
  /** Maximum number of undecided nonces per lane; at most `nonceWindow`. */
  readonly maxInFlightPerLane: number;
  /**
   * Maximum distance of an assigned nonce above the account's nonce on chain. This limits the
   * number of transactions that a lost ledger can have in flight. The setting may be raised but
   * never lowered.
   */
  readonly nonceWindow: number;
  /** Interval of polls while transactions are in flight, in ms. */
  readonly pollIntervalMs: number;
  /** Interval of polls while nothing is in flight, in ms. */
  readonly idleIntervalMs: number;
  /** Timeout of a lane's poll, in ms. Other lanes do not wait for this poll. */
  readonly lookTimeoutMs: number;
  readonly leaseTtlMs: number;
  readonly resendAfterMs: number;
  /** Time after which an attempt without a nonce expires, in ms. */
  readonly queueTimeoutMs: number;
  /**
   * Age of an attempt in ms from which its transaction is not sent again. From then on, the machine
   * only observes the transaction or cancels it.
   */
  readonly deadlineMs: number;
  /** Maximum price that a transaction may offer for a unit of L2 gas, in fri. */
  readonly ceilingL2PriceFri: bigint;
  readonly noopLimits: ResourceLimits;
  /**
   * Resource limits of a usual call. A lane whose balance does not cover this call is short of
   * funds, even while no attempt waits.
   * @default the limits of a no-op
   */
  readonly usualLimits?: ResourceLimits;
  /**
   * Maximum STRK that a call of a relay lane transfers in addition to its gas, in fri. The balance
   * of a relay lane must cover this amount too before the lane sends a call. @default 0
   */
  readonly transferFri?: bigint;
  /** Age from which an undecided nonce is reported to the operator, in ms. */
  readonly attentionAfterMs: number;
  /** Maximum time that a transaction can remain in a mempool without being included, in ms. */
  readonly mempoolLifetimeMs: number;
  /**
   * Age at which a block counts as final on a chain that reports no L1 height, in ms of the store's
   * clock.
   */
  readonly horizonMs: number;
  /**
   * Age of the oldest block in which a new, empty ledger searches for transactions of a lost
   * ledger, in ms.
   */
  readonly adoptBackMs: number;
  readonly acceptance: LedgerAcceptance;
  /**
   * True if only a block younger than the process can prove that the ledger is up to its chain. Set
   * this to false only for chains that make blocks on demand.
   */
  readonly needsYoungHead: boolean;
  /**
   * True if the store uses the machine's time, but never a time before its newest row. @default
   * false
   */
  readonly storeHasNoClock?: boolean;
  /**
   * True if a lane is paused when a third party has signed with its key. An operator has to resume
   * the lane.
   */
  readonly pauseOnForeign: boolean;
  /**
   * True if refusals are never accepted as proof. This is necessary if the provider sends a
   * transaction to several nodes or repeats sends.
   */
  readonly strict: boolean;
  /**
   * Time after an attempt's end at which its calldata and signed bytes are redacted, in ms, even if
   * the outcome is not final.
   */
  readonly retentionMs: number;
  readonly redactionIntervalMs: number;
}

/**
 * Named failpoints at which tests stop the process. Each failpoint is between a durable write or a
 * send and the step that follows.
 *
 * - `accepted`: a request was written;
 * - `prepared`, `replaced`, `filled`, `cancelled`: a transaction was written with the claim to its
 *   first send;
 * - `claimed`: a claim to a repeated send was written;
 * - `sent`, `refused`: a node responded to a send, and its refusal was written;
 * - `settling`, `settled`: the chain has shown a nonce's consumer, and the consumer was written;
 * - `reopened`: a rollback has reopened a nonce;
 * - `adopted`: an outcome of a lost ledger was written;
 * - `wiped`: private data was redacted.
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
  'reopened',
  'adopted',
  'wiped',
] as const;
export type Failpoint = (typeof CHECKPOINTS)[number];

/** Called at each failpoint, before any caller or instance is notified. */
export type FailpointHook = (checkpoint: Failpoint) => void;
