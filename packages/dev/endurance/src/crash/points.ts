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

/** One named place at which the process dies. */
export interface CrashPoint {
  readonly name: Failpoint;
  /** For the report: what is written or sent there, and what is not yet. */
  readonly between: string;
  /**
   * The process dies when it gets there for the first, second … so manieth time, in turn, so that
   * it dies with more or less in flight.
   */
  readonly times: number;
  /** On top of the usual. @default nothing */
  readonly env?: Variables;
  /**
   * What the world does so that the process gets there, again for each process.
   * @default nothing: every withdrawal gets there
   */
  readonly stir?: () => Disturbance;
  /**
   * A process that has not got there by then is killed and started again, uncounted.
   * @default it is waited for
   */
  readonly restartAfterMs?: number;
}

/**
 * Of every service that is killed. It looks often, so that little time is lost between kills, and
 * no run of trouble pauses the pool.
 */
export const CRASH_ENVIRONMENT = {
  POLL_INTERVAL_MS: '100',
  IDLE_INTERVAL_MS: '300',
  // The shortest that the service allows: what got lost in one life else keeps its lane busy for
  // the next.
  RESEND_AFTER_MS: '1000',
  BREAKER_REVERTS: '1000',
  BREAKER_LOSSES: '1000',
  BREAKER_UPSTREAM_FAILURES: '1000',
} as const;

/**
 * Every checkpoint but `adopted`, which only a ledger that was lost gets to: `npm run recovery`
 * kills the service there.
 */
export const CRASH_POINTS: readonly CrashPoint[] = [
  { name: 'accepted', between: 'request written, caller not answered', times: 6 },
  { name: 'prepared', between: 'transaction and its first claim written, not sent', times: 6 },
  { name: 'claimed', between: 'one more send claimed, not sent', times: 2, stir: loseSends },
  { name: 'sent', between: 'sent, its answer not noted', times: 6 },
  { name: 'refused', between: 'refusal written, caller not answered', times: 3, stir: refuseSends },
  // A nonce gap below something that waits, and no other call that could take it: with so much room
  // none waits for long.
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
  // Only what ended in an earlier life is wiped at once.
  {
    name: 'wiped',
    between: 'private data wiped at the start',
    times: 1,
    env: { RETENTION_MS: '0' },
    restartAfterMs: 3_000,
  },
];
