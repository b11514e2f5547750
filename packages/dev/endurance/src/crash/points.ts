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

/** Failpoint of the code at which the process is killed. */
export interface CrashPoint {
  readonly name: Failpoint;
  /**
   * Text for the report: the steps that are completed at the kill, and the steps that are not done
   * yet.
   */
  readonly between: string;
  /**
   * Highest visit of this failpoint at which a process is killed. The first process is killed when
   * it reaches the failpoint for the first time, the next process at the second time, and so on up
   * to this number. So the amount of work in flight varies.
   */
  readonly times: number;
  /** Settings that this checkpoint needs in addition to the common settings. @default none */
  readonly env?: Variables;
  /**
   * Creates the disturbance of the chain that makes the process reach the failpoint. Each new
   * process gets a new disturbance.
   * @default no disturbance, because every withdrawal reaches the failpoint
   */
  readonly stir?: () => Disturbance;
  /**
   * Time in ms after which a process that has not reached the checkpoint is killed and restarted.
   * This kill is not counted.
   * @default no limit
   */
  readonly restartAfterMs?: number;
}

/**
 * Settings of every service that is killed. The service polls frequently, so that little time
 * passes between kills. The limits of the breaker are so high that failures never pause the pool.
 */
export const CRASH_ENVIRONMENT = {
  POLL_INTERVAL_MS: '100',
  IDLE_INTERVAL_MS: '300',
  // This is the minimum that the service allows. With a longer time, a call that one process lost
  // would occupy its lane in the next process for too long.
  RESEND_AFTER_MS: '1000',
  BREAKER_REVERTS: '1000',
  BREAKER_LOSSES: '1000',
  BREAKER_UPSTREAM_FAILURES: '1000',
} as const;

/**
 * All failpoints except `adopted`, which only a service with a lost ledger reaches. The command
 * `npm run recovery` kills the service at `adopted`.
 */
export const CRASH_POINTS: readonly CrashPoint[] = [
  { name: 'accepted', between: 'request written, caller not answered', times: 6 },
  { name: 'prepared', between: 'transaction and its first claim written, not sent', times: 6 },
  { name: 'claimed', between: 'a further send claimed, not sent', times: 2, stir: loseSends },
  { name: 'sent', between: 'sent, the node’s response not recorded', times: 6 },
  { name: 'refused', between: 'refusal written, caller not answered', times: 3, stir: refuseSends },
  // A process reaches this failpoint only if there is a nonce gap below a waiting call, and no
  // other call that could fill the gap. The higher limit of calls in flight ensures that no call
  // waits for a slot.
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
    between: 'no-op in place of a cancelled withdrawal written with its claim, not sent',
    times: 1,
    stir: loseAndRefuse,
  },
  { name: 'settling', between: 'receipt received, outcome not written', times: 6 },
  { name: 'settled', between: 'outcome written, caller not answered', times: 6 },
  {
    name: 'reopened',
    between: 'settled nonce reopened after a rollback, no further step done',
    times: 2,
    stir: rollBack,
  },
  // When a process starts, it redacts only data of submissions that had ended in an earlier
  // process.
  {
    name: 'wiped',
    between: 'private data redacted at the start',
    times: 1,
    env: { RETENTION_MS: '0' },
    restartAfterMs: 3_000,
  },
];
