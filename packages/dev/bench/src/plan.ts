/** How much is measured. */
export interface Plan {
  /** Repetitions of each measurement. */
  readonly rounds: number;
  readonly throughput: {
    readonly lanes: readonly number[];
    /**
     * The usual flow's computing leaves its accounts with nothing to do, so fewer numbers of them
     * show the same.
     */
    readonly usualLanes: readonly number[];
    readonly latenciesMs: readonly number[];
    readonly warmUpMs: number;
    readonly windowMs: number;
    readonly callers: number;
  };
  readonly cost: {
    /** Withdrawals of a round: as many as take a few seconds. */
    readonly sotto: number;
    readonly usual: number;
    /** Rounds before the first that counts, until the compiler has seen everything often enough. */
    readonly warmUpRounds: number;
    readonly callers: number;
    readonly idleMs: number;
    readonly perSecond: number;
    readonly pacedMs: number;
  };
  readonly reads: {
    readonly warmUpSeconds: number;
    readonly seconds: number;
    readonly connections: number;
  };
  readonly refusals: { readonly count: number; readonly warmUp: number };
  readonly growth: {
    readonly rows: readonly number[];
    readonly starts: number;
    readonly withdrawals: number;
  };
  readonly indexes: { readonly rows: number; readonly writes: number };
}

/** About ten minutes. */
export const FULL: Plan = {
  rounds: 3,
  throughput: {
    lanes: [1, 2, 4, 8],
    usualLanes: [1, 8],
    latenciesMs: [0, 50, 200],
    warmUpMs: 2_000,
    windowMs: 4_000,
    callers: 64,
  },
  cost: {
    sotto: 150,
    usual: 20,
    warmUpRounds: 4,
    callers: 8,
    idleMs: 4_000,
    perSecond: 20,
    pacedMs: 6_000,
  },
  reads: { warmUpSeconds: 1, seconds: 3, connections: 10 },
  refusals: { count: 300, warmUp: 30 },
  growth: { rows: [0, 100_000, 1_000_000], starts: 3, withdrawals: 150 },
  indexes: { rows: 200_000, writes: 5_000 },
};

/** Some seconds: shows that everything still runs. Its figures mean nothing. */
export const SHORT: Plan = {
  rounds: 1,
  throughput: {
    lanes: [2],
    usualLanes: [2],
    latenciesMs: [20],
    warmUpMs: 0,
    windowMs: 3_000,
    callers: 4,
  },
  cost: {
    sotto: 4,
    usual: 2,
    warmUpRounds: 1,
    callers: 2,
    idleMs: 100,
    perSecond: 4,
    pacedMs: 500,
  },
  reads: { warmUpSeconds: 0, seconds: 1, connections: 2 },
  refusals: { count: 4, warmUp: 1 },
  growth: { rows: [1_000], starts: 1, withdrawals: 4 },
  indexes: { rows: 1_000, writes: 50 },
};
