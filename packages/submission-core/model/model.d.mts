/** A ledger row: key, attempt, state, lane and nonce; -1 for none. */
export interface ModelAttempt {
  k: string;
  a: number;
  st: 'acc' | 'prep' | 'bc' | 'ok' | 'rev' | 'end';
  L: number;
  n: number;
}

/** A stored transaction that is not dead, and its send mark. */
export interface ModelTransaction {
  tx: string;
  c: 0 | 1 | 2;
}

/** A state of the model; what its members mean stands at the top of model.mjs. */
export interface ModelState {
  subs: ModelAttempt[];
  slot: (0 | ModelTransaction[])[][];
  lease: number[];
  hand: 0[];
  inc: string[][];
  fin: number[];
  pool: string[][];
  out: string[][][];
  told?: string;
}

export interface ModelOptions {
  keys: number;
  strict?: boolean;
}

/** Broken properties of a state, S0 to S5, each with its text; empty when all hold. */
export function broken(state: ModelState, options: ModelOptions): string[];

/** Everything accepted is settled and no nonce hole is left. */
export function goal(state: ModelState): boolean;
