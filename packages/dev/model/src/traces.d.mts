export interface TraceAttempt {
  /** Key and number, such as `A1`. */
  id: string;
  state: 'accepted' | 'broadcast' | 'succeeded' | 'reverted' | 'ended';
  lane: number | null;
  nonce: number | null;
  /** Number of its call, where it may take newer ones. */
  call: number | null;
  /** `L0n0`: the nonce that its outcome comes from, where it can stand under several. */
  place: string | null;
}

export interface TraceNonce {
  lane: number;
  nonce: number;
  owner: string | null;
  state: 'open' | 'settled' | 'final';
  /** +1 with each write that counts; 0 while no command has written it. */
  version: number;
  /** The block that settled it. */
  block: string | null;
  /** What consumed it; `consumer`: `foreign` if it stands in no row. */
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
  /** The step in words. */
  words: string;
  fair: boolean;
  /** False: the command is refused, and nothing is written. */
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
  /** Of a command: the version that it names, that of the row, and whether they are equal. */
  saw?: number;
  version?: number;
  current?: boolean;
  /** Of `store`. `as`: the attempt that the row names, where that is untrue (variants only). */
  kind?: 'prepare' | 'replace' | 'cancel' | 'fill' | 'quarantine';
  as?: string;
  /** Of `renew`: the newer call. Of `store`: the one that was signed. */
  call?: number;
  /**
   * Of `settle`: the consumer has succeeded, is ours, in which block; the attempt that loses the
   * nonce, and where it goes. Of `refusal`: where it goes.
   */
  good?: boolean;
  ours?: boolean;
  block?: string | null;
  loser?: string;
  to?: 'acc' | 'end';
  /**
   * Of `reopen`: the block that the chain now says for this nonce, null if none; the attempt under
   * it that has moved on.
   */
  answer?: string | null;
  movedOn?: string;
  /**
   * Of `final`: false if the nonce was settled by the same consumer and result in another block.
   * The model takes the two for one; a ledger reopens first.
   */
  sameBlock?: boolean;
  /** Of `refusal`: what it is about, and whether it counts. `rests`: the lane rests. */
  cause?: 'lane' | 'other';
  conclusive?: boolean;
  rests?: boolean;
  /** Of `look_chain`: the account nonce. */
  nonce?: number;
  /** Of `chain`. */
  what?: 'preconfirmed' | 'dropped' | 'appears' | 'foreign' | 'l2' | 'l1' | 'reorg' | 'undone';
  cut?: number[];
  instance?: number;
  because?: string;
  /** A property that the step itself breaks (variants only). */
  bad?: string;
}

/** The shortest trace of a variant (`M1`, `K1`, `C4`) or of a witness (`W1`). */
export function traceOf(id: string): {
  id: string;
  name: string;
  options: Record<string, unknown>;
  breaks: string | null;
  text: string | null;
  steps: TraceStep[];
};

/**
 * Random walks through the mended design, with the commands that it refuses among their steps. The
 * same seed, the same walks.
 */
export function walks(given?: {
  seed?: number;
  count?: number;
  length?: number;
  profiles?: readonly Record<string, unknown>[];
}): { seed: number; index: number; options: Record<string, unknown>; steps: TraceStep[] }[];

/** What walks go through in which the ledger is lost, or an old copy put in its place. */
export const LOSSES: readonly Record<string, unknown>[];
