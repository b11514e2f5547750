export interface TraceAttempt {
  /** Key and number of the attempt, such as `A1`. */
  id: string;
  state: 'accepted' | 'broadcast' | 'succeeded' | 'reverted' | 'ended';
  lane: number | null;
  nonce: number | null;
  /** Number of the attempt's current call; null if an attempt cannot accept newer calls. */
  call: number | null;
  /** Nonce that the outcome comes from, such as `L0n0`; null if an attempt has only one nonce. */
  place: string | null;
}

export interface TraceNonce {
  lane: number;
  nonce: number;
  owner: string | null;
  state: 'open' | 'settled' | 'final';
  /** Version of the row, incremented by each write except quiet ones. 0 until the first write. */
  version: number;
  /** Block that settled the nonce. */
  block: string | null;
  /**
   * Transaction that consumed the nonce. `consumer` is `foreign` if no row has this transaction.
   */
  by?: string;
  consumer?: string;
  transactions: Record<string, { claims: 1 | 2; gone: null | 'refused' | 'lost' }>;
}

/** Rows and chain after a step of a trace. */
export interface TraceState {
  attempts: TraceAttempt[];
  nonces: TraceNonce[];
  chain: { included: string[][]; accepted: number[]; final: number[]; out: string[][][] };
}

export type TraceAction =
  | 'request'
  | 'renew'
  | 'end_waiting'
  | 'adopt'
  | 'prepare_ended'
  | 'read_for_prepare'
  | 'store'
  | 'claim'
  | 'refusal'
  | 'settle'
  | 'reopen'
  | 'final'
  | 'import'
  | 'quarantine_over'
  | 'look_rows'
  | 'look_chain'
  | 'look_end'
  | 'send'
  | 'crash'
  | 'lease'
  | 'key_wrong'
  | 'key_mended'
  | 'lane_check'
  | 'ledger_lost'
  | 'ledger_copied'
  | 'ledger_restored'
  | 'chain';

export interface TraceStep {
  do: TraceAction;
  /** Description of the step in words. */
  words: string;
  fair: boolean;
  /** False if the command is refused. A refused command writes nothing. */
  applied: boolean;
  after: TraceState;
  /**
   * Worker, lane, nonce and transaction of the step. `A1v0` is key A, attempt 1, price step 0;
   * `--v1` is a no-op; `XXv0` is a foreign transaction.
   */
  w?: number;
  L?: number;
  n?: number;
  tx?: string;
  attempt?: string;
  /**
   * Version that the command contains (`saw`), version of the row, and whether the two are equal.
   */
  saw?: number;
  version?: number;
  current?: boolean;
  /**
   * Kind of a `store`. `as` is the attempt that the row contains, if it is not the attempt that was
   * signed for (variants only).
   */
  kind?: 'prepare' | 'replace' | 'cancel' | 'fill' | 'quarantine';
  as?: string;
  /** Number of the newer call of a `renew`, or of the signed call of a `store`. */
  call?: number;
  /**
   * Result of a `settle`: whether the transaction that consumed the nonce succeeded, whether it is
   * ours, and its block. Also the attempt that loses the nonce, and the new state of this attempt.
   * A `refusal` has only the new state.
   */
  good?: boolean;
  ours?: boolean;
  block?: string | null;
  loser?: string;
  to?: 'acc' | 'end';
  /**
   * Result of a `reopen`: the chain's current block for this nonce (null if there is none), and the
   * attempt under the nonce that has moved on.
   */
  answer?: string | null;
  movedOn?: string;
  /**
   * False for a `final` whose nonce was settled by the same consumer and result, but in another
   * block. The model merges these two cases, while a ledger reopens the nonce first.
   */
  sameBlock?: boolean;
  /**
   * Cause of a `refusal`, and whether the refusal is conclusive. `rests` is true if the lane rests.
   */
  cause?: 'lane' | 'other';
  conclusive?: boolean;
  rests?: boolean;
  /** Account nonce that a `look_chain` step reads. */
  nonce?: number;
  /** Kind of a `chain` step. */
  what?: 'preconfirmed' | 'dropped' | 'appears' | 'foreign' | 'l2' | 'l1' | 'reorg' | 'undone';
  cut?: number[];
  instance?: number;
  because?: string;
  /** Property that the step itself breaks (variants only). */
  bad?: string;
}

/** Returns the shortest trace of a variant (`M1`, `K1`, `C4`) or a witness (`W1`). */
export function traceOf(id: string): {
  id: string;
  name: string;
  options: Record<string, unknown>;
  breaks: string | null;
  text: string | null;
  steps: TraceStep[];
};

/**
 * Returns random walks through the corrected design, including refused commands. Equal seeds return
 * equal walks.
 */
export function walks(given?: {
  seed?: number;
  count?: number;
  length?: number;
  profiles?: readonly Record<string, unknown>[];
}): { seed: number; index: number; options: Record<string, unknown>; steps: TraceStep[] }[];

/** Option sets for walks in which the ledger is lost or replaced by an old copy. */
export const LATE: readonly Record<string, unknown>[];
export const LOSSES: readonly Record<string, unknown>[];
