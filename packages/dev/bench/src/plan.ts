import type { FlowName } from './processes/flow.js';

/**
 * Length of a read measurement in autocannon's options: seconds, or a number of requests with the
 * interval at which this number is checked.
 */
export type ReadLength =
  { readonly duration: number } | { readonly amount: number; readonly sampleInt: number };

/** Plan of a run: numbers of rounds and requests, rates and durations. */
export interface Plan {
  /** Number of rounds of each measurement. */
  readonly rounds: number;
  /**
   * True if flows are started once and continue until the end of the run. A short run uses this
   * setting, because starting the flows again for each case would need more time than the
   * measurements.
   */
  readonly keepsFlows: boolean;
  readonly cost: {
    /** Number of withdrawals per round, which need a few seconds. */
    readonly counts: Readonly<Record<FlowName, number>>;
    /**
     * Number of rounds that are run before the first counted round, so that the compiler has
     * optimized the code by then.
     */
    readonly warmUpRounds: number;
    readonly callers: number;
    readonly idleMs: number;
  };
  readonly solo: { readonly count: number; readonly warmUp: number };
  readonly throughput: {
    readonly latenciesMs: readonly number[];
    readonly callers: number;
    /**
     * Duration in ms of the load before the first counted window. During this time, a withdrawal
     * costs about 1.5 times as much as later.
     */
    readonly warmUpMs: number;
    /** Numbers of callers to try. The number that gives the highest throughput is then used. */
    readonly usualCallers: readonly number[];
    readonly searchMs: number;
    readonly windowMs: number;
  };
  readonly lanes: {
    readonly counts: readonly number[];
    readonly callersPerLane: number;
    readonly windowMs: number;
  };
  readonly instances: {
    /** Numbers of instances that share a database, in this order. */
    readonly counts: readonly number[];
    readonly callers: number;
    readonly warmUpMs: number;
    readonly windowMs: number;
  };
  readonly eventLoop: {
    /** Rates of withdrawals, each with the flows that can serve this rate. */
    readonly rates: readonly { readonly perSecond: number; readonly flows: readonly FlowName[] }[];
    readonly windowMs: number;
  };
  readonly writes: {
    readonly loads: readonly { readonly callers: number; readonly count: number }[];
  };
  readonly footprint: { readonly starts: number; readonly withdrawals: number };
  readonly roundTrips: {
    readonly perSecond: number;
    readonly pacedMs: number;
    readonly restMs: number;
    readonly idleMs: number;
    readonly usual: number;
  };
  readonly reads: {
    readonly warmUp: ReadLength | null;
    readonly measured: ReadLength;
    readonly connections: number;
  };
  readonly ledger: { readonly submissions: number; readonly inFlight: number };
  readonly rejections: { readonly count: number; readonly warmUp: number };
}

/** Plan of a full run, which needs less than twenty minutes. */
export const FULL: Plan = {
  rounds: 3,
  keepsFlows: false,
  cost: {
    counts: { sotto: 150, postgres: 150, untouched: 150, pushed: 150, usual: 16, ourHash: 80 },
    warmUpRounds: 3,
    callers: 8,
    idleMs: 4_000,
  },
  solo: { count: 32, warmUp: 3 },
  throughput: {
    latenciesMs: [0, 100],
    callers: 64,
    warmUpMs: 8_000,
    usualCallers: [1, 2, 4, 8, 16],
    searchMs: 3_000,
    windowMs: 5_000,
  },
  lanes: { counts: [1, 8], callersPerLane: 16, windowMs: 12_000 },
  instances: { counts: [1, 2, 4], callers: 32, warmUpMs: 12_000, windowMs: 8_000 },
  eventLoop: {
    rates: [
      { perSecond: 3, flows: ['sotto', 'usual', 'ourHash'] },
      { perSecond: 20, flows: ['sotto', 'ourHash'] },
    ],
    windowMs: 5_000,
  },
  writes: {
    loads: [
      { callers: 1, count: 10 },
      { callers: 8, count: 60 },
    ],
  },
  ledger: { submissions: 400, inFlight: 16 },
  footprint: { starts: 5, withdrawals: 200 },
  roundTrips: { perSecond: 20, pacedMs: 6_000, restMs: 10_000, idleMs: 4_000, usual: 20 },
  reads: { warmUp: { duration: 1 }, measured: { duration: 2 }, connections: 10 },
  rejections: { count: 300, warmUp: 30 },
};

/**
 * Plan of a short run of some seconds, which only tests that every case works. The figures are
 * meaningless.
 */
export const SHORT: Plan = {
  rounds: 1,
  keepsFlows: true,
  cost: {
    counts: { sotto: 2, postgres: 2, untouched: 2, pushed: 2, usual: 1, ourHash: 1 },
    warmUpRounds: 0,
    callers: 2,
    idleMs: 100,
  },
  solo: { count: 1, warmUp: 0 },
  throughput: {
    latenciesMs: [20],
    callers: 4,
    warmUpMs: 10,
    usualCallers: [1, 2],
    searchMs: 10,
    windowMs: 100,
  },
  lanes: { counts: [1, 2], callersPerLane: 2, windowMs: 100 },
  instances: { counts: [1, 2], callers: 2, warmUpMs: 10, windowMs: 100 },
  eventLoop: { rates: [{ perSecond: 4, flows: ['sotto', 'usual', 'ourHash'] }], windowMs: 250 },
  writes: { loads: [{ callers: 2, count: 2 }] },
  ledger: { submissions: 8, inFlight: 4 },
  footprint: { starts: 1, withdrawals: 2 },
  roundTrips: { perSecond: 4, pacedMs: 250, restMs: 0, idleMs: 100, usual: 1 },
  reads: { warmUp: null, measured: { amount: 40, sampleInt: 50 }, connections: 2 },
  rejections: { count: 2, warmUp: 0 },
};
