export interface TraceAttempt {
  /** Key and number, such as `A1`. */
  id: string;
  state: 'accepted' | 'broadcast' | 'succeeded' | 'reverted' | 'ended';
  lane: number | null;
  nonce: number | null;
  /** Number of its call, if it may accept newer ones. */
  call: number | null;
  /** `L0n0`: the nonce that its outcome comes from, if it can be under several. */
  place: string | null;
}

export interface TraceNonce {
  lane: number;
  nonce: number;
  owner: string | null;
  state: 'open' | 'settled' | 'final';
  /** Incremented by each write that counts; 0 while no command has written it. */
  version: number;
  /** Block that settled it. */
  block: string | null;
  /** Consumer of the nonce. `consumer` is `foreign` if no row has it. */
  by?: string;
  consumer?: string;
  transactions: Record<string, { claims: 1 | 2; gone: null | 'refused' | 'lost' }>;
}

/** Rows and chain after a step. */
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
  /** False if the command is refused, so nothing is written. */
  applied: boolean;
  after: TraceState;
  /**
   * Worker, lane, nonce, transaction (`A1v0` key A, attempt 1, price step 0; `--v1` a no-op; `XXv0`
   * foreign).
   */
  w?: number;
  L?: number;
  n?: number;
  tx?: string;
  attempt?: string;
  /** Versions of a command: the one it names, that of the row, and whether they are equal. */
  saw?: number;
  version?: number;
  current?: boolean;
  /** Kind of a `store`. `as`: the attempt that the row names, if untrue (variants only). */
  kind?: 'prepare' | 'replace' | 'cancel' | 'fill' | 'quarantine';
  as?: string;
  /** Number of the newer call of a `renew`, or of the signed call of a `store`. */
  call?: number;
  /**
   * Result of a `settle`: whether the consumer has succeeded, whether it is ours, its block; the
   * attempt that loses the nonce, and its new state. For a `refusal`, only the new state.
   */
  good?: boolean;
  ours?: boolean;
  block?: string | null;
  loser?: string;
  to?: 'acc' | 'end';
  /**
   * Result of a `reopen`: the chain's current block for this nonce, null if none; the attempt under
   * the nonce that has moved on.
   */
  answer?: string | null;
  movedOn?: string;
  /**
   * False for a `final` whose nonce was settled by the same consumer and result in another block.
   * The model merges the two; a ledger reopens first.
   */
  sameBlock?: boolean;
  /** Cause of a `refusal`, and whether it is conclusive. `rests`: the lane rests. */
  cause?: 'lane' | 'other';
  conclusive?: boolean;
  rests?: boolean;
  /** Account nonce of a `look_chain`. */
  nonce?: number;
  /** Kind of a `chain` step. */
  what?: 'preconfirmed' | 'dropped' | 'appears' | 'foreign' | 'l2' | 'l1' | 'reorg' | 'undone';
  cut?: number[];
  instance?: number;
  because?: string;
  /** Property that the step itself breaks (variants only). */
  bad?: string;
}

/** Returns the shortest trace of a variant (`M1`, `K1`, `C4`) or of a witness (`W1`). */
export function traceOf(id: string): {
  id: string;
  name: string;
  options: Record<string, unknown>;
  breaks: string | null;
  text: string | null;
  steps: TraceStep[];
};

/**
 * Returns random walks through the corrected design, including refused commands. The same seed
 * gives the same walks.
 */
export function walks(given?: {
  seed?: number;
  count?: number;
  length?: number;
  profiles?: readonly Record<string, unknown>[];
}): { seed: number; index: number; options: Record<string, unknown>; steps: TraceStep[] }[];

/** Profiles of walks in which the ledger is lost or replaced by an old copy. */
export const LOSSES: readonly Record<string, unknown>[];
