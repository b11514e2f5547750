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

/** Limits beyond which a pool is paused. */
export interface GuardLimits extends LossLimits {
  /**
   * Number of consecutive reverted transactions that pauses the pool. Reverts caused by users do
   * not count.
   */
  readonly revertsInARow: number;
  /** Number of consecutive withdrawals at a loss that pauses the pool. */
  readonly lossesInARow: number;
  /** Number of consecutive admissions with unreadable node or prices that pauses the pool. */
  readonly upstreamFailuresInARow: number;
  /**
   * Length of a pause after reverts or losses, in milliseconds. Then one withdrawal is admitted on
   * trial, and its outcome decides.
   */
  readonly pauseMs: number;
  /** Maximum gas per hour, in fri: charged gas plus the expected cost of live attempts. */
  readonly hourlyGasPerPoolFri: bigint;
  readonly hourlyGasInAllFri: bigint;
}

/** Cause of a pause. The last three are runs of failures, which end automatically. */
export type PauseCause = 'operator' | 'configuration' | 'reverts' | 'losses' | 'upstream';

/** Stored state of a pool in addition to its attempts. */
export interface PoolControl {
  readonly pool: Felt;
  /** Pause by the operator; null if the pool is not paused. */
  readonly paused: { readonly reason: string; readonly sinceMs: number } | null;
  /** Start of the current runs of failures: the operator has dealt with all earlier ones. */
  readonly resumedAtMs: number;
  /**
   * Consecutive admissions that could not be judged because of node or prices, and the time of the
   * last one. Each failure above the limit is a failed trial.
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
      /** Reason that the operator entered. */
      readonly reason: string | null;
      /** Earliest end of the pause; null if unknown. */
      readonly untilMs: number | null;
    }
  | {
      readonly kind: 'exhausted';
      readonly scope: 'pool' | 'all' | 'losses';
      readonly untilMs: number;
    };

/**
 * Facts for the verdict on a pool: rows, and the last time at which this process saw node and
 * prices answer.
 */
export interface GuardFacts {
  readonly nowMs: number;
  /** Ended attempts of all pools, at least those within the budget window. */
  readonly ended: SettledAttempt;
  readonly live: readonly LiveEntry[];
  readonly control: PoolControl | null;
  /** Reason of a pause by configuration; null if there is none. */
  readonly configured: string | null;
  /**
   * Last time at which this instance saw node and prices answer; null if it has not yet. This time
   * can only shorten a pause.
   */
  readonly upstreamAnsweredAtMs: number | null;
}

/**
 * Decides whether an attempt of this kind may begin in the pool now. Checks pauses first, then runs
 * of failures, then budgets; the first match decides.
 */
export function judgePool(
  pool: NotePool,
  kind: AttemptKind,
  facts: GuardFacts,
  limits: GuardLimits,
): PoolVerdict {
  // The depositor determines the outcome of a deposit, so a run of failed ones is no sign of a
  // broken pool.
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
  /** End of the newest failure. */
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
    // An accepted attempt proves that node and prices answer again.
    ...(upstream === null || isTried(upstream.lastMs + upstream.pauseMs) ? [] : [upstream]),
  ];
  const [first, ...others] = runs;
  if (first === undefined) return null;
  const run = others.reduce((found, other) => (endOf(other) > endOf(found) ? other : found), first);
  const { cause, lastMs } = run;
  const untilMs = endOf(run);
  // A failure far in the future was recorded by a clock that was ahead: the next attempt is a
  // trial.
  const isOfFuture = lastMs > nowMs + run.pauseMs;
  if (nowMs < untilMs && !isOfFuture) return { kind: 'paused', cause, reason: null, untilMs };
  if (isTried(untilMs)) return { kind: 'paused', cause, reason: null, untilMs: null };
  return { kind: 'trial', cause, claim: `trial|${pool.address}|${kind}|${cause}|${lastMs}` };
}

/**
 * True if the entry is a sign of the pool's health. A revert caused by a user is not, so a user can
 * neither start a run nor end one with it.
 */
const isOnChain = (entry: MoneyEntry): boolean =>
  entry.state === 'succeeded' || (entry.state === 'reverted' && !isUserMade(entry));
/** Excludes swaps: their gas depends on the route at inclusion, which the admission can't know. */
const movedMoney = (entry: MoneyEntry): boolean =>
  (entry.state === 'succeeded' || entry.gasPaidFri > 0n) &&
  entry.role !== 'swap_owner' &&
  !isUserMade(entry);

/**
 * Returns the end of the newest of at least `length` consecutive reverts on chain; null if there is
 * no such run.
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

/** Returns the same for losses, of attempts with a cost or an income. */
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

/** Returns at most `length` outcomes since the operator resumed the pool, newest first. */
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
 * Longest pause after upstream failures. A trial costs a few reads and no gas, so trials can be
 * frequent.
 */
export const LONGEST_UPSTREAM_PAUSE_MS = 4_000;

function upstreamRun(
  { control, upstreamAnsweredAtMs }: GuardFacts,
  { upstreamFailuresInARow }: GuardLimits,
): Run | null {
  if (control === null || control.upstream.failures < upstreamFailuresInARow) return null;
  const { failures, lastAtMs } = control.upstream;
  // The upstream answers again: end the pause.
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
 * Returns the time until which users' losses in the pool exceed its budget; null if they do not.
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
 * Returns the time at which enough of the last hour's spending on one contract (null: on all) has
 * left the window; null if the budget is not used up.
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
