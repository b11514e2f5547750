import type { Felt } from '@sotto/kernel';
import { isDeposit } from '../../pools/domain/deposit.js';
import type { SettledAttempt } from './settled-attempt.js';
import {
  LIVE_MS,
  isPrivateAction,
  isUserMade,
  lossesFreeAt,
  type LossLimits,
} from './user-losses.js';
import {
  BUDGET_WINDOW_MS,
  isLoss,
  sum,
  type AttemptKind,
  type LiveEntry,
  type MoneyEntry,
} from './money.js';
import { decimalsOf, type RelayedPool } from '../../pools/domain/pool.js';

/** Limits of a pool. The pool is paused if it reaches one of them. */
export interface GuardLimits extends LossLimits {
  /**
   * Number of consecutive reverted transactions that pauses the pool. Reverts caused by users are
   * ignored.
   */
  readonly revertsInARow: number;
  /** Number of consecutive withdrawals at a loss that pauses the pool. */
  readonly lossesInARow: number;
  /**
   * Number of consecutive admissions that failed because node or prices were unreadable. At this
   * number, the pool is paused.
   */
  readonly upstreamFailuresInARow: number;
  /**
   * Duration of a pause after reverts or losses, in milliseconds. After the pause, one attempt is
   * admitted as a trial, and its outcome decides whether the pause ends.
   */
  readonly pauseMs: number;
  /**
   * Maximum cost of one pool's gas per hour, in fri: charged gas plus the expected cost of attempts
   * that have not ended.
   */
  readonly hourlyGasPerPoolFri: bigint;
  readonly hourlyGasInAllFri: bigint;
}

/**
 * Cause of a pause. The last three causes are series of consecutive failures; a pause for one of
 * them ends automatically.
 */
export type PauseCause = 'operator' | 'configuration' | 'reverts' | 'losses' | 'upstream';

/** Stored state of a pool that can't be computed from the pool's attempts. */
export interface PoolControl {
  readonly pool: Felt;
  /** Pause by the operator; null if the pool is not paused. */
  readonly paused: { readonly reason: string; readonly sinceMs: number } | null;
  /**
   * Time of the operator's last resume, in Unix milliseconds. Only failures after this time count
   * as consecutive failures.
   */
  readonly resumedAtMs: number;
  /**
   * Number of consecutive admissions that failed because node or prices were unreadable, and the
   * time of the last failure. Each failure above the limit is a failed trial.
   */
  readonly upstream: { readonly failures: number; readonly lastAtMs: number };
}

export type PoolVerdict =
  | { readonly kind: 'open' }
  /** The pause is over: one attempt is let through. It must hold the lock of this name. */
  | { readonly kind: 'trial'; readonly cause: PauseCause; readonly claim: string }
  | {
      readonly kind: 'paused';
      readonly cause: PauseCause;
      /** Reason of a pause, as entered by the operator. */
      readonly reason: string | null;
      /** Earliest end of the pause in Unix milliseconds; null if unknown. */
      readonly untilMs: number | null;
    }
  | {
      readonly kind: 'exhausted';
      readonly scope: 'pool' | 'all' | 'losses';
      readonly untilMs: number;
    };

/**
 * Facts from which the verdict on a pool is computed: rows, and the time at which this process last
 * read node and prices successfully.
 */
export interface GuardFacts {
  readonly nowMs: number;
  /** Ended attempts of all pools, including at least all attempts within the budget window. */
  readonly ended: SettledAttempt;
  readonly live: readonly LiveEntry[];
  readonly control: PoolControl | null;
  /** Reason of a pause by configuration; null if the pool is not paused by configuration. */
  readonly configured: string | null;
  /**
   * Time at which this instance last read node and prices successfully, in Unix milliseconds; null
   * if it never has. This time can only shorten a pause.
   */
  readonly upstreamAnsweredAtMs: number | null;
}

/**
 * Decides whether an attempt of this kind may begin in the pool now. Pauses by hand are checked
 * first, then consecutive failures, then budgets. The first one that forbids the attempt decides.
 */
export function judgePool(
  pool: RelayedPool,
  kind: AttemptKind,
  facts: GuardFacts,
  limits: GuardLimits,
): PoolVerdict {
  // The depositor determines the outcome of a deposit, so consecutive failed deposits do not
  // indicate a broken pool.
  const run = kind === 'deposit' ? null : runOfFailures(pool, kind, facts, limits);
  return pausedByHand(facts) ?? run ?? exhausted(pool, kind, facts, limits) ?? { kind: 'open' };
}

function pausedByHand({ control, configured }: GuardFacts): PoolVerdict | null {
  if (configured !== null)
    return { kind: 'paused', cause: 'configuration', reason: configured, untilMs: null };
  const paused = control?.paused ?? null;
  return paused === null
    ? null
    : { kind: 'paused', cause: 'operator', reason: paused.reason, untilMs: null };
}

/** Series of consecutive failures that pauses a pool. */
interface Run {
  readonly cause: PauseCause;
  /** End of the newest failure in the series, in Unix milliseconds. */
  readonly lastMs: number;
  readonly pauseMs: number;
}

const endOf = ({ lastMs, pauseMs }: Run): number => lastMs + pauseMs;

function runOfFailures(
  pool: RelayedPool,
  kind: AttemptKind,
  facts: GuardFacts,
  limits: GuardLimits,
): PoolVerdict | null {
  const { nowMs, live } = facts;
  const isTried = (untilMs: number): boolean =>
    live.some((call) => {
      const isOfKind = (call.costFri === null) === (kind === 'batch') && !isDeposit(call);
      return isOfKind && call.subject === pool.address && call.acceptedAtMs >= untilMs;
    });
  const { pauseMs } = limits;
  const reverts = lastOfReverts(pool, kind, facts, limits.revertsInARow);
  const losses = lastOfLosses(pool, kind, facts, limits.lossesInARow);
  const upstream = upstreamRun(facts, limits);
  const runs: readonly Run[] = [
    ...(reverts === null ? [] : [{ cause: 'reverts', lastMs: reverts, pauseMs } as const]),
    ...(losses === null ? [] : [{ cause: 'losses', lastMs: losses, pauseMs } as const]),
    // An accepted attempt proves that node and prices are available again.
    ...(upstream === null || isTried(upstream.lastMs + upstream.pauseMs) ? [] : [upstream]),
  ];
  const [first, ...others] = runs;
  if (first === undefined) return null;
  const run = others.reduce((found, other) => (endOf(other) > endOf(found) ? other : found), first);
  const { cause, lastMs } = run;
  const untilMs = endOf(run);
  // A failure far in the future was recorded by a clock that was ahead. So the pool is not paused
  // until then; the next attempt is a trial.
  const isOfFuture = lastMs > nowMs + run.pauseMs;
  if (nowMs < untilMs && !isOfFuture) return { kind: 'paused', cause, reason: null, untilMs };
  if (isTried(untilMs)) return { kind: 'paused', cause, reason: null, untilMs: null };
  return { kind: 'trial', cause, claim: `trial|${pool.address}|${kind}|${cause}|${lastMs}` };
}

/**
 * Returns true if the entry indicates whether the pool works. A revert caused by a user does not,
 * so such a revert neither starts nor ends a series of failures.
 */
const isOnChain = (entry: MoneyEntry): boolean =>
  entry.state === 'succeeded' || (entry.state === 'reverted' && !isUserMade(entry));
/**
 * Returns true if the entry had an income or a cost. Swaps and private actions are excluded: their
 * gas depends on the route, or on contracts that the caller chose, at inclusion. The admission
 * can't know this gas, and a few callers could pause the pool with it.
 */
const movedMoney = (entry: MoneyEntry): boolean =>
  (entry.state === 'succeeded' || entry.gasPaidFri > 0n) &&
  entry.role !== 'swap_owner' &&
  !isPrivateAction(entry) &&
  !isUserMade(entry);

/**
 * Returns the end of the newest revert if at least `length` consecutive attempts reverted on chain;
 * otherwise null.
 */
function lastOfReverts(
  pool: RelayedPool,
  kind: AttemptKind,
  facts: GuardFacts,
  length: number,
): number | null {
  return lastOfRun(
    newestOf(pool, kind, facts, length, isOnChain),
    length,
    ({ state }) => state === 'reverted',
  );
}

/**
 * Returns the end of the newest loss if at least `length` consecutive attempts with a cost or an
 * income were losses; otherwise null.
 */
function lastOfLosses(
  pool: RelayedPool,
  kind: AttemptKind,
  facts: GuardFacts,
  length: number,
): number | null {
  return lastOfRun(newestOf(pool, kind, facts, length, movedMoney), length, (entry) =>
    isLoss(entry, decimalsOf(pool, entry.terms?.feeToken)),
  );
}

/**
 * Returns at most `length` outcomes, newest first. Outcomes from before the operator's last resume
 * are ignored.
 */
function newestOf(
  pool: RelayedPool,
  kind: AttemptKind,
  { ended, control }: GuardFacts,
  length: number,
  isOutcome: (entry: MoneyEntry) => boolean,
): readonly MoneyEntry[] {
  const fromMs = control?.resumedAtMs ?? 0;
  const own = ended.of(pool.address, kind);
  const newest: MoneyEntry[] = [];
  for (let index = own.length - 1; index >= 0 && newest.length < length; index -= 1) {
    const entry = own[index];
    if (entry === undefined || entry.endedAtMs < fromMs) break;
    if (isOutcome(entry)) newest.push(entry);
  }
  return newest;
}

function lastOfRun(
  newest: readonly MoneyEntry[],
  length: number,
  failed: (entry: MoneyEntry) => boolean,
): number | null {
  return newest.length === length && newest.every(failed) ? (newest[0]?.endedAtMs ?? null) : null;
}

const FIRST_UPSTREAM_PAUSE_MS = 1_000;
/**
 * Maximum pause after consecutive upstream failures, in milliseconds. A trial costs a few reads and
 * no gas, so trials can be frequent.
 */
export const LONGEST_UPSTREAM_PAUSE_MS = 4_000;

function upstreamRun(
  { control, upstreamAnsweredAtMs }: GuardFacts,
  { upstreamFailuresInARow }: GuardLimits,
): Run | null {
  if (control === null || control.upstream.failures < upstreamFailuresInARow) return null;
  const { failures, lastAtMs } = control.upstream;
  // The upstream is available again, so the pause ends now.
  if (upstreamAnsweredAtMs !== null && upstreamAnsweredAtMs > lastAtMs)
    return { cause: 'upstream', lastMs: lastAtMs, pauseMs: 0 };
  const failedTrials = failures - upstreamFailuresInARow;
  const pauseMs = Math.min(FIRST_UPSTREAM_PAUSE_MS * 2 ** failedTrials, LONGEST_UPSTREAM_PAUSE_MS);
  return { cause: 'upstream', lastMs: lastAtMs, pauseMs };
}

function exhausted(
  pool: RelayedPool,
  kind: AttemptKind,
  facts: GuardFacts,
  limits: GuardLimits,
): PoolVerdict | null {
  const { hourlyGasPerPoolFri, hourlyGasInAllFri, lossBudgetCloses } = limits;
  const ofPool = freeAt(facts, pool.address, hourlyGasPerPoolFri);
  if (ofPool !== null) return { kind: 'exhausted', scope: 'pool', untilMs: ofPool };
  const inAll = freeAt(facts, null, hourlyGasInAllFri);
  if (inAll !== null) return { kind: 'exhausted', scope: 'all', untilMs: inAll };
  const freeOfLosses =
    lossBudgetCloses && kind === 'relay' ? beyondLossBudget(pool, facts, limits) : null;
  return freeOfLosses === null
    ? null
    : { kind: 'exhausted', scope: 'losses', untilMs: freeOfLosses };
}

/**
 * Returns the time until which users' losses in the pool exceed the pool's loss budget, in Unix
 * milliseconds; null if the losses do not exceed it.
 */
export function beyondLossBudget(
  pool: RelayedPool,
  { ended, nowMs }: GuardFacts,
  { hourlyLossPerPoolFri }: LossLimits,
): number | null {
  return lossesFreeAt(
    ended.userLosses(pool, nowMs - BUDGET_WINDOW_MS),
    hourlyLossPerPoolFri,
    nowMs,
  );
}

/**
 * Returns the time in Unix milliseconds at which the budget is no longer used up, because enough of
 * the gas spent in the last hour has left the window. The gas is that of one contract, or of all
 * contracts if `subject` is null. Returns null if the budget is not used up.
 */
function freeAt(
  { ended, live, nowMs }: GuardFacts,
  subject: Felt | null,
  budgetFri: bigint,
): number | null {
  const counts = (entry: { readonly subject: Felt }): boolean =>
    subject === null || entry.subject === subject;
  const windowMs = nowMs - BUDGET_WINDOW_MS;
  let left =
    ended.spentFri(subject, windowMs) +
    sum(live.filter(counts).map(({ costFri }) => costFri ?? 0n));
  if (left < budgetFri) return null;
  for (const entry of ended.entries) {
    if (entry.endedAtMs <= windowMs || !counts(entry)) continue;
    left -= entry.gasPaidFri;
    if (left < budgetFri) return entry.endedAtMs + BUDGET_WINDOW_MS;
  }
  return nowMs + LIVE_MS;
}
