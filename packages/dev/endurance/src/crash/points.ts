import type { Variables } from '@sotto/process-kit';
import type { Failpoint } from '@sotto/submission-core';
import {
  loseAndRefuse,
  loseSends,
  raisePrice,
  refuseLate,
  refuseSends,
  rollBack,
  type Disturbance,
} from './stirs.js';

/** Checkpoint at which the process dies. */
export interface CrashPoint {
  readonly name: Failpoint;
  /** Steps completed before the kill and steps not yet done, for the report. */
  readonly between: string;
  /**
   * Number of visits over which kills vary. The process dies at the first, second … `times`-th
   * visit in turn, so that it dies with more or less work in flight.
   */
  readonly times: number;
  /** Settings in addition to the usual ones. @default none */
  readonly env?: Variables;
  /**
   * Creates the disturbance that makes the process reach the point, for each process.
   * @default every withdrawal reaches the point without a disturbance
   */
  readonly stir?: () => Disturbance;
  /**
   * Time after which a process that has not reached the point is killed and started again,
   * uncounted.
   * @default no limit
   */
  readonly restartAfterMs?: number;
}

/**
 * Settings of every killed service. Frequent polls, so that little time is lost between kills, and
 * no series of failures pauses the pool.
 */
export const CRASH_ENVIRONMENT = {
  POLL_INTERVAL_MS: '100',
  IDLE_INTERVAL_MS: '300',
  // The minimum that the service allows. Otherwise a call lost by one process occupies its lane in
  // the next.
  RESEND_AFTER_MS: '1000',
  BREAKER_REVERTS: '1000',
  BREAKER_LOSSES: '1000',
  BREAKER_UPSTREAM_FAILURES: '1000',
} as const;

/**
 * All checkpoints except `adopted`, which only a service with a lost ledger reaches. `npm run
 * recovery` kills the service there.
 */
export const CRASH_POINTS: readonly CrashPoint[] = [
  { name: 'accepted', between: 'request written, caller not answered', times: 6 },
  { name: 'prepared', between: 'transaction and its first claim written, not sent', times: 6 },
  { name: 'claimed', between: 'one more send claimed, not sent', times: 2, stir: loseSends },
  { name: 'sent', between: 'sent, its answer not noted', times: 6 },
  { name: 'refused', between: 'refusal written, caller not answered', times: 3, stir: refuseSends },
  // Requires a nonce gap below a waiting call and no other call that could fill it. No call waits
  // for long with this much room.
  {
    name: 'filled',
    between: 'no-op for a nonce gap written with its claim, not sent',
    times: 1,
    env: { MAX_IN_FLIGHT_PER_LANE: '16', RESEND_AFTER_MS: '4000' },
    stir: () => refuseLate(),
  },
  {
    name: 'replaced',
    between: 'replacement at a higher price written with its claim, not sent',
    times: 2,
    stir: raisePrice,
  },
  {
    name: 'cancelled',
    between: 'no-op in place of a withdrawal that was given up written with its claim, not sent',
    times: 1,
    stir: loseAndRefuse,
  },
  { name: 'settling', between: 'receipt seen, end not written', times: 6 },
  { name: 'settled', between: 'end written, caller not answered', times: 6 },
  {
    name: 'reopened',
    between: 'settled nonce opened again after a rollback, nothing done for it',
    times: 2,
    stir: rollBack,
  },
  // Only data that ended in an earlier process is redacted at the start.
  {
    name: 'wiped',
    between: 'private data wiped at the start',
    times: 1,
    env: { RETENTION_MS: '0' },
    restartAfterMs: 3_000,
  },
];
