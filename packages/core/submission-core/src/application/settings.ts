import type { Felt } from '@sotto/kernel';
import type { AnswerAt } from '../domain/answer.js';
import type { ResourceLimits } from '../domain/resource-bounds.js';
import type { LaneRole } from '../domain/rows.js';

/** One account that may sign, and for what. */
export interface LaneIdentity {
  readonly address: Felt;
  readonly role: LaneRole;
  /** True: what it has in flight is followed, and it gets nothing new. @default false */
  readonly isRetiring?: boolean;
  /**
   * True: this process never leases it, and leaves its work to those that do. It compares it with
   * the chain as well. @default false
   */
  readonly isLeftToOthers?: boolean;
}

/**
 * An operator's word that nothing of these accounts is in flight but what a fresh ledger will know:
 * the chain and every account's nonce. Void as soon as one of them differs, so that it can't be
 * left behind. `always` is for development.
 */
export type LedgerAcceptance = 'always' | AcceptedAccounts | null;

/** What an operator has looked at: the chain, and the nonce of each account on it. */
export interface AcceptedAccounts {
  readonly chainId: Felt;
  readonly nonces: ReadonlyMap<Felt, bigint>;
}

/**
 * How the machine behaves. Times only decide when to look or to send again, never what happened.
 */
export interface SubmissionSettings {
  /** Name of this instance: leases are held under it. */
  readonly instance: string;
  /** Looks that show another chain prove nothing and stop sending. */
  readonly chainId: Felt;
  readonly lanes: readonly LaneIdentity[];
  /** @default 'preconfirmed' */
  readonly answerAt: AnswerAt;
  /** Undecided nonces of one lane at a time; at most `nonceWindow`. */
  readonly maxInFlightPerLane: number;
  /**
   * No nonce is given away that is so far above the account's, so a lost ledger can have no more in
   * flight than that. It may be raised and never lowered.
   */
  readonly nonceWindow: number;
  /** How often the chain is looked at while something is in flight. */
  readonly pollIntervalMs: number;
  /** How often it is looked at while nothing is. */
  readonly idleIntervalMs: number;
  /** A lane's look that takes longer is given up; other lanes never wait for it. */
  readonly lookTimeoutMs: number;
  readonly leaseTtlMs: number;
  readonly resendAfterMs: number;
  /** An attempt that got no nonce for so long ends as expired. */
  readonly queueTimeoutMs: number;
  /** From here on a sent attempt is only followed and cancelled. */
  readonly deadlineMs: number;
  /** Most that is ever offered for a unit of L2 gas, in fri. */
  readonly ceilingL2PriceFri: bigint;
  readonly noopLimits: ResourceLimits;
  /**
   * Bounds of a usual call: a lane that can't pay them is short of funds even while no attempt
   * waits.
   * @default those of a no-op
   */
  readonly usualLimits?: ResourceLimits;
  /** A nonce that is undecided for so long is shown to the operator. */
  readonly attentionAfterMs: number;
  /** How long a mempool keeps a transaction that it does not include. */
  readonly mempoolLifetimeMs: number;
  /**
   * Where a chain reports no L1 height, a block of this age by the store's clock counts as final.
   */
  readonly horizonMs: number;
  /** How far back an empty ledger reads the chain for what a lost one may have sent. */
  readonly adoptBackMs: number;
  readonly acceptance: LedgerAcceptance;
  /**
   * True: the ledger is judged only by a block that is younger than the process. False only on
   * chains that make blocks on demand.
   */
  readonly needsYoungHead: boolean;
  /** True: the store's time is the machine's, and not earlier than its rows. @default false */
  readonly storeHasNoClock?: boolean;
  /**
   * True: a lane whose key something else has signed with is stopped until an operator resumes it.
   */
  readonly pauseOnForeign: boolean;
  /** True: no refusal is believed, because the provider fans out or retries. */
  readonly strict: boolean;
  /** Calldata and signed bytes are wiped so long after the end, however final it is. */
  readonly retentionMs: number;
  readonly wipeIntervalMs: number;
}

/**
 * Named places at which tests stop the process, each between a durable write or send and what would
 * follow from it: a request is written (`accepted`), a transaction with its first claim
 * (`prepared`, `replaced`, `filled`, `cancelled`), one more claim (`claimed`); a send is answered
 * (`sent`), and its refusal written (`refused`); the chain has shown who consumed a nonce
 * (`settling`), and that is written (`settled`); a rollback has opened one again (`reopened`); an
 * outcome of a lost ledger is written (`adopted`); private data is wiped (`wiped`).
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

/** Called at each checkpoint, before any caller or instance is notified. */
export type FailpointHook = (checkpoint: Failpoint) => void;
