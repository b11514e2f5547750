import type { Felt } from '@sotto/kernel';
import { isDeposit } from '../../pools/domain/deposit.js';
import type { SettledAttempt } from './settled-attempt.js';
import { LIVE_MS, isUserMade, lossesFreeAt, type LossLimits } from './user-losses.js';
import {
  BUDGET_WINDOW_MS,
  isLoss,
  sum,
  type AttemptKind,
  type LiveEntry,
  type MoneyEntry,
} from './money.js';
import { decimalsOf, type NotePool } from '../../pools/domain/pool.js';

/** Limits that pause a pool when they are exceeded. */
export interface GuardLimits extends LossLimits {
  /**
   * Number of consecutive reverted transactions that pauses the pool. Reverts caused by users are
   * ignored.
   */
  readonly revertsInARow: number;
  /** Number of consecutive withdrawals at a loss that pauses the pool. */
  readonly lossesInARow: number;
  /**
   * Number of consecutive admissions that pauses the pool because node or prices were unreadable.
   */
  readonly upstreamFailuresInARow: number;
  /**
   * Duration of a pause after reverts or losses, in milliseconds. Then one attempt is admitted as a
   * trial, and its outcome decides whether the pause ends.
   */
  readonly pauseMs: number;
  /** Maximum cost of gas per hour, in fri: charged gas plus the expected cost of live attempts. */
  readonly hourlyGasPerPoolFri: bigint;
  readonly hourlyGasInAllFri: bigint;
}

/** Cause of a pause. The last three causes are runs of failures, whose pauses end automatically. */
export type PauseCause = 'operator' | 'configuration' | 'reverts' | 'losses' | 'upstream';

/** Stored state of a pool that is not part of its attempts. */
export interface PoolControl {
  readonly pool: Felt;
  /** Pause by the operator; null if the pool is not paused. */
  readonly paused: { readonly reason: string; readonly sinceMs: number } | null;
  /**
   * Start of the current runs of failures, in Unix milliseconds. The operator has resolved all
   * earlier failures.
   */
  readonly resumedAtMs: number;
  /**
   * Number of consecutive admissions that failed because node or prices were unreadable, and the
   * time of the last one. Each failure above the limit is a failed trial.
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
 * Facts from which the verdict on a pool is computed: rows, and the last time at which this process
 * could read node and prices.
 */
export interface GuardFacts {
  readonly nowMs: number;
  /** Ended attempts of all pools, including at least all attempts within the budget window. */
  readonly ended: SettledAttempt;
  readonly live: readonly LiveEntry[];
  readonly control: PoolControl | null;
  /** Reason of a pause by configuration; null if there is none. */
  readonly configured: string | null;
  /**
   * Last time at which this instance could read node and prices, in Unix milliseconds; null if it
   * has not yet. The time can only shorten a pause.
   */
  readonly upstreamAnsweredAtMs: number | null;
}

/**
 * Decides whether an attempt of this kind may begin in the pool now. Pauses are checked first, then
 * runs of failures, then budgets. The first match decides.
 */
export function judgePool(
  pool: NotePool,
  kind: AttemptKind,
  facts: GuardFacts,
  limits: GuardLimits,
): PoolVerdict {
  // The depositor determines the outcome of a deposit, so a run of failed deposits does not
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

/** Run of failures that pauses a pool. */
interface Run {
  readonly cause: PauseCause;
  /** End of the newest failure in the run, in Unix milliseconds. */
  readonly lastMs: number;
  readonly pauseMs: number;
}

const endOf = ({ lastMs, pauseMs }: Run): number => lastMs + pauseMs;

function runOfFailures(
  pool: NotePool,
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
  // A failure far in the future was recorded by a clock that was ahead, so the next attempt is a
  // trial.
  const isOfFuture = lastMs > nowMs + run.pauseMs;
  if (nowMs < untilMs && !isOfFuture) return { kind: 'paused', cause, reason: null, untilMs };
  if (isTried(untilMs)) return { kind: 'paused', cause, reason: null, untilMs: null };
  return { kind: 'trial', cause, claim: `trial|${pool.address}|${kind}|${cause}|${lastMs}` };
}

/**
 * Returns true if the entry indicates whether the pool works. A revert caused by a user does not,
 * so a user can neither start nor end a run with such a revert.
 */
const isOnChain = (entry: MoneyEntry): boolean =>
  entry.state === 'succeeded' || (entry.state === 'reverted' && !isUserMade(entry));
/**
 * Returns true if the entry had an income or a cost. Swaps are excluded: their gas depends on the
 * route at inclusion, which the admission can't know.
 */
const movedMoney = (entry: MoneyEntry): boolean =>
  (entry.state === 'succeeded' || entry.gasPaidFri > 0n) &&
  entry.role !== 'swap_owner' &&
  !isUserMade(entry);

/**
 * Returns the end of the newest revert if at least `length` consecutive attempts reverted on chain;
 * otherwise null.
 */
function lastOfReverts(
  pool: NotePool,
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
  pool: NotePool,
  kind: AttemptKind,
  facts: GuardFacts,
  length: number,
): number | null {
  return lastOfRun(newestOf(pool, kind, facts, length, movedMoney), length, (entry) =>
    isLoss(entry, decimalsOf(pool, entry.terms?.feeToken)),
  );
}

/** Returns at most `length` outcomes since the operator last resumed the pool, newest first. */
function newestOf(
  pool: NotePool,
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
 * Maximum pause after upstream failures, in milliseconds. A trial costs a few reads and no gas, so
 * trials can be frequent.
 */
export const LONGEST_UPSTREAM_PAUSE_MS = 4_000;

function upstreamRun(
  { control, upstreamAnsweredAtMs }: GuardFacts,
  { upstreamFailuresInARow }: GuardLimits,
): Run | null {
  if (control === null || control.upstream.failures < upstreamFailuresInARow) return null;
  const { failures, lastAtMs } = control.upstream;
  // The upstream is available again, so end the pause.
  if (upstreamAnsweredAtMs !== null && upstreamAnsweredAtMs > lastAtMs)
    return { cause: 'upstream', lastMs: lastAtMs, pauseMs: 0 };
  const failedTrials = failures - upstreamFailuresInARow;
  const pauseMs = Math.min(FIRST_UPSTREAM_PAUSE_MS * 2 ** failedTrials, LONGEST_UPSTREAM_PAUSE_MS);
  return { cause: 'upstream', lastMs: lastAtMs, pauseMs };
}

function exhausted(
  pool: NotePool,
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
 * Returns the time until which users' losses in the pool exceed its loss budget, in Unix
 * milliseconds; null if the losses do not exceed it.
 */
export function beyondLossBudget(
  pool: NotePool,
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
 * Returns the time at which enough of the last hour's spending has left the window, in Unix
 * milliseconds. The spending is on one contract, or on all contracts if `subject` is null. Returns
 * null if the budget is not used up.
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
