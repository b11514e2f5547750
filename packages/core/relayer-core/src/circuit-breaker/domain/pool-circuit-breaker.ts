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

/** When a pool is left alone. */
export interface GuardLimits extends LossLimits {
  /**
   * So many reverted transactions in a row pause the pool; those that users brought about are not
   * counted.
   */
  readonly revertsInARow: number;
  /** So many withdrawals in a row that cost more than they brought. */
  readonly lossesInARow: number;
  /** So many admissions in a row for which node or prices could not be read. */
  readonly upstreamFailuresInARow: number;
  /**
   * Length of a pause after reverts or losses. Afterwards one withdrawal is admitted on trial, and
   * its outcome decides.
   */
  readonly pauseMs: number;
  /** Most gas per hour, in fri: what was charged, and what live attempts are expected to cost. */
  readonly hourlyGasPerPoolFri: bigint;
  readonly hourlyGasInAllFri: bigint;
}

/** Why a pool is paused. The last three are runs of failures, and end by themselves. */
export type PauseCause = 'operator' | 'configuration' | 'reverts' | 'losses' | 'upstream';

/** What is remembered of a pool beside its attempts. */
export interface PoolControl {
  readonly pool: Felt;
  /** The operator's pause; null when the pool is not paused. */
  readonly paused: { readonly reason: string; readonly sinceMs: number } | null;
  /** Runs of failures count from here: the operator has looked at what was before. */
  readonly resumedAtMs: number;
  /**
   * Admissions in a row that node or prices kept from being judged, and when the last one was.
   * Above the limit each failure is a failed trial.
   */
  readonly upstream: { readonly failures: number; readonly lastAtMs: number };
}

export type PoolVerdict =
  | { readonly kind: 'open' }
  /** A pause is over: one attempt is let through, and it must hold the claim of this name. */
  | { readonly kind: 'trial'; readonly cause: PauseCause; readonly claim: string }
  | {
      readonly kind: 'paused';
      readonly cause: PauseCause;
      /** The operator's own words. */
      readonly reason: string | null;
      /** When it may end; null while that is unknown. */
      readonly untilMs: number | null;
    }
  | {
      readonly kind: 'exhausted';
      readonly scope: 'pool' | 'all' | 'losses';
      readonly untilMs: number;
    };

/**
 * All that the verdict on a pool rests on: rows, and when this process last saw node and prices
 * answer.
 */
export interface GuardFacts {
  readonly nowMs: number;
  /** Of all pools, from the budget's window at least. */
  readonly ended: SettledAttempt;
  readonly live: readonly LiveEntry[];
  readonly control: PoolControl | null;
  /** Reason of a pause by configuration; null without one. */
  readonly configured: string | null;
  /** When this instance last saw node and prices answer; null before. It only shortens a pause. */
  readonly upstreamAnsweredAtMs: number | null;
}

/**
 * Whether an attempt of this kind may begin in the pool now. The first that holds of: pauses, runs
 * of failures, budgets.
 */
export function judgePool(
  pool: NotePool,
  kind: AttemptKind,
  facts: GuardFacts,
  limits: GuardLimits,
): PoolVerdict {
  // What becomes of a deposit is the depositor's doing: no run of them says anything of the pool.
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
  /** Time of the newest failure. */
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
    // An accepted attempt shows that node and prices answer again.
    ...(upstream === null || isTried(upstream.lastMs + upstream.pauseMs) ? [] : [upstream]),
  ];
  const [first, ...others] = runs;
  if (first === undefined) return null;
  const run = others.reduce((found, other) => (endOf(other) > endOf(found) ? other : found), first);
  const { cause, lastMs } = run;
  const untilMs = endOf(run);
  // A clock that was ahead recorded a failure of the far future: the next attempt is a trial.
  const isOfFuture = lastMs > nowMs + run.pauseMs;
  if (nowMs < untilMs && !isOfFuture) return { kind: 'paused', cause, reason: null, untilMs };
  if (isTried(untilMs)) return { kind: 'paused', cause, reason: null, untilMs: null };
  return { kind: 'trial', cause, claim: `trial|${pool.address}|${kind}|${cause}|${lastMs}` };
}

/**
 * What says something of the pool: a revert that its user brought about does not, so one user can
 * neither make a run nor end one with it.
 */
const isOnChain = (entry: MoneyEntry): boolean =>
  entry.state === 'succeeded' || (entry.state === 'reverted' && !isUserMade(entry));
/** The gas of a swap is its route's, which the admission has not seen as it is when included. */
const movedMoney = (entry: MoneyEntry): boolean =>
  (entry.state === 'succeeded' || entry.gasPaidFri > 0n) &&
  entry.role !== 'swap_owner' &&
  !isUserMade(entry);

/**
 * When the newest of at least `length` reverts in a row ended, of attempts that are on chain; null
 * when the newest are no such run.
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

/** The same for losses, of attempts that cost something or brought something. */
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

/** The newest outcomes since the operator has looked, newest first, and no more than so many. */
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
 * Longest pause after upstream failures. A trial costs a few reads and no gas, so it can be
 * frequent.
 */
export const LONGEST_UPSTREAM_PAUSE_MS = 4_000;

function upstreamRun(
  { control, upstreamAnsweredAtMs }: GuardFacts,
  { upstreamFailuresInARow }: GuardLimits,
): Run | null {
  if (control === null || control.upstream.failures < upstreamFailuresInARow) return null;
  const { failures, lastAtMs } = control.upstream;
  // Nothing is gained by waiting for what answers again.
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
 * Until when users have lost the service more in the pool than they may together; null while they
 * have not.
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
 * When enough of the last hour's spending on one contract, or for null on all, has left the window;
 * null while the budget is not used up.
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
