import type { Felt } from '@sotto/kernel';
import type { AnswerAt } from '../domain/answer.js';
import type { ResourceLimits } from '../domain/resource-bounds.js';
import type { LaneRole } from '../domain/rows.js';

/** Account that may sign, and its role. */
export interface LaneIdentity {
  readonly address: Felt;
  readonly role: LaneRole;
  /**
   * True if the lane accepts no new work; its transactions in flight are followed. @default false
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
 * cannot know: the chain and every account's nonce. Void once one of them differs, so that a
 * forgotten setting has no effect. `always` is for development.
 */
export type LedgerAcceptance = 'always' | AcceptedAccounts | null;

/** Chain and account nonces that an operator has verified. */
export interface AcceptedAccounts {
  readonly chainId: Felt;
  readonly nonces: ReadonlyMap<Felt, bigint>;
}

/** Settings of the machine. Times decide only when to poll or to send again, never the outcome. */
export interface SubmissionSettings {
  /** Name of this instance, under which it holds leases. */
  readonly instance: string;
  /** Expected chain. Polls that show another chain prove nothing and stop sending. */
  readonly chainId: Felt;
  readonly lanes: readonly LaneIdentity[];
  /** @default 'preconfirmed' */
  readonly answerAt: AnswerAt;
  /** Undecided nonces of one lane at a time; at most `nonceWindow`. */
  readonly maxInFlightPerLane: number;
  /**
   * Maximum distance of an assigned nonce above the account's, which bounds the transactions that a
   * lost ledger can have in flight. May be raised but never lowered.
   */
  readonly nonceWindow: number;
  /** Interval of polls while transactions are in flight, in ms. */
  readonly pollIntervalMs: number;
  /** Interval of polls while nothing is in flight, in ms. */
  readonly idleIntervalMs: number;
  /** Timeout of a lane's poll, in ms. Other lanes never wait for it. */
  readonly lookTimeoutMs: number;
  readonly leaseTtlMs: number;
  readonly resendAfterMs: number;
  /** An attempt that got no nonce for this long expires, in ms. */
  readonly queueTimeoutMs: number;
  /** Age after which a sent attempt is only followed and cancelled, in ms. */
  readonly deadlineMs: number;
  /** Highest price ever offered for a unit of L2 gas, in fri. */
  readonly ceilingL2PriceFri: bigint;
  readonly noopLimits: ResourceLimits;
  /**
   * Bounds of a usual call. A lane that can't pay them is short of funds even while no attempt
   * waits.
   * @default the bounds of a no-op
   */
  readonly usualLimits?: ResourceLimits;
  /** A nonce undecided for this long is reported to the operator, in ms. */
  readonly attentionAfterMs: number;
  /** Time that a mempool keeps a transaction without including it, in ms. */
  readonly mempoolLifetimeMs: number;
  /**
   * Age at which a block counts as final on a chain that reports no L1 height, in ms of the store's
   * clock.
   */
  readonly horizonMs: number;
  /** Age of the oldest block that an empty ledger reads for transactions of a lost one, in ms. */
  readonly adoptBackMs: number;
  readonly acceptance: LedgerAcceptance;
  /**
   * True if the ledger is judged only by a block that is younger than the process. False only on
   * chains that make blocks on demand.
   */
  readonly needsYoungHead: boolean;
  /** True if the store's time is the machine's, but never earlier than its rows. @default false */
  readonly storeHasNoClock?: boolean;
  /**
   * True if a lane is paused, until an operator resumes it, when something else has signed with its
   * key.
   */
  readonly pauseOnForeign: boolean;
  /** True if no refusal is believed, because the provider sends to several nodes or retries. */
  readonly strict: boolean;
  /**
   * Time after an attempt's end at which calldata and signed bytes are redacted, in ms, even if it
   * is not final.
   */
  readonly retentionMs: number;
  readonly wipeIntervalMs: number;
}

/**
 * Named failpoints at which tests stop the process. Each is between a durable write or a send and
 * the step that follows it.
 *
 * - `accepted`: a request is written;
 * - `prepared`, `replaced`, `filled`, `cancelled`: a transaction is written with its first claim;
 * - `claimed`: another claim is written;
 * - `sent`, `refused`: a send is answered, and its refusal is written;
 * - `settling`, `settled`: the chain has shown a nonce's consumer, and it is written;
 * - `reopened`: a rollback has reopened a nonce;
 * - `adopted`: an outcome of a lost ledger is written;
 * - `wiped`: private data is redacted.
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
