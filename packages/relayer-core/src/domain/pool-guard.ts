import type { Felt } from '@sotto/kernel';
import { isLoss, kindOf, subjectOf, sum, type AttemptKind, type LiveEntry, type MoneyEntry } from './money.js';
import type { ServedPool } from './pool.js';

/** When a pool is left alone. */
export interface GuardLimits {
  /** So many reverted transactions in a row pause the pool. */
  readonly revertsInARow: number;
  /** So many withdrawals in a row that cost more than they brought. */
  readonly lossesInARow: number;
  /** So many admissions in a row for which node or prices could not be read. */
  readonly upstreamFailuresInARow: number;
  /** How long such a pause lasts; then one withdrawal is let through, and what becomes of it decides. */
  readonly pauseMs: number;
  /** Most gas per hour, in fri: what was charged, and what live attempts are expected to cost. */
  readonly hourlyGasPerPoolFri: bigint;
  readonly hourlyGasInAllFri: bigint;
}

export const BUDGET_WINDOW_MS = 3_600_000;

/** Why a pool is paused. The last three are runs of failures, and end by themselves. */
export type PauseCause = 'operator' | 'configuration' | 'reverts' | 'losses' | 'upstream';

/** What is remembered of a pool beside its attempts. */
export interface PoolControl {
  readonly pool: Felt;
  /** The operator's pause; null while there is none. */
  readonly paused: { readonly reason: string; readonly sinceMs: number } | null;
  /** Runs of failures count from here: the operator has looked at what was before. */
  readonly resumedAtMs: number;
  /** Admissions in a row that node or prices kept from being judged, and when the last one was. */
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
      /** When it may be over; null while nobody knows. */
      readonly untilMs: number | null;
    }
  | { readonly kind: 'exhausted'; readonly scope: 'pool' | 'all'; readonly untilMs: number };

/** All that the verdict on a pool rests on: rows, and nothing that a process remembers by itself. */
export interface GuardFacts {
  readonly nowMs: number;
  /** Of all pools, from the budget's window at least, oldest first. */
  readonly entries: readonly MoneyEntry[];
  readonly live: readonly LiveEntry[];
  readonly control: PoolControl | null;
  /** Reason of a pause by configuration; null without one. */
  readonly configured: string | null;
}

/** Whether an attempt of this kind may begin in the pool now. The first that holds of: pauses, runs of failures, budgets. */
export function judgePool(pool: ServedPool, kind: AttemptKind, facts: GuardFacts, limits: GuardLimits): PoolVerdict {
  return pausedByHand(facts) ?? runOfFailures(pool, kind, facts, limits) ?? exhausted(pool, facts, limits) ?? { kind: 'open' };
}

function pausedByHand({ control, configured }: GuardFacts): PoolVerdict | null {
  if (configured !== null) return { kind: 'paused', cause: 'configuration', reason: configured, untilMs: null };
  const paused = control?.paused ?? null;
  return paused === null ? null : { kind: 'paused', cause: 'operator', reason: paused.reason, untilMs: null };
}

function runOfFailures(pool: ServedPool, kind: AttemptKind, facts: GuardFacts, limits: GuardLimits): PoolVerdict | null {
  const { control, nowMs, live } = facts;
  const runs = [
    { cause: 'reverts', lastMs: lastOfRun(revertsOf(pool, kind, facts), limits.revertsInARow) },
    { cause: 'losses', lastMs: lastOfRun(lossesOf(pool, kind, facts), limits.lossesInARow) },
    { cause: 'upstream', lastMs: upstreamRun(control, limits) },
  ] as const;
  const latest = runs.reduce<{ cause: PauseCause; lastMs: number } | null>(
    (found, { cause, lastMs }) => (lastMs !== null && (found === null || lastMs > found.lastMs) ? { cause, lastMs } : found),
    null,
  );
  if (latest === null) return null;
  const { cause, lastMs } = latest;
  const untilMs = lastMs + limits.pauseMs;
  if (nowMs < untilMs) return { kind: 'paused', cause, reason: null, untilMs };
  const tried = live.some(({ key, costFri, acceptedAtMs }) => {
    const isOfKind = (costFri === null) === (kind === 'batch');
    return isOfKind && subjectOf(key) === pool.address && acceptedAtMs >= untilMs;
  });
  if (tried) return { kind: 'paused', cause, reason: null, untilMs: null };
  return { kind: 'trial', cause, claim: `trial|${pool.address}|${kind}|${cause}|${lastMs}` };
}

interface Outcome {
  readonly failed: boolean;
  readonly endedAtMs: number;
}

function ownOf(pool: ServedPool, kind: AttemptKind, { entries, control }: GuardFacts): readonly MoneyEntry[] {
  const fromMs = control?.resumedAtMs ?? 0;
  return entries.filter((entry) => kindOf(entry) === kind && entry.endedAtMs >= fromMs && subjectOf(entry.key) === pool.address);
}

/** Attempts that are on chain. */
function revertsOf(pool: ServedPool, kind: AttemptKind, facts: GuardFacts): readonly Outcome[] {
  return ownOf(pool, kind, facts)
    .filter(({ state }) => state === 'succeeded' || state === 'reverted')
    .map(({ state, endedAtMs }) => ({ failed: state === 'reverted', endedAtMs }));
}

/** Attempts that cost something, or brought something. */
function lossesOf(pool: ServedPool, kind: AttemptKind, facts: GuardFacts): readonly Outcome[] {
  return ownOf(pool, kind, facts)
    .filter(({ state, gasPaidFri }) => state === 'succeeded' || gasPaidFri > 0n)
    .map((entry) => ({ failed: isLoss(entry, pool.token.decimals), endedAtMs: entry.endedAtMs }));
}

/** When the newest of at least `length` failures in a row ended; null when the newest outcomes are no such run. */
function lastOfRun(outcomes: readonly Outcome[], length: number): number | null {
  const newest = outcomes.slice(-length);
  if (newest.length < length || newest.some(({ failed }) => !failed)) return null;
  return newest.at(-1)?.endedAtMs ?? null;
}

function upstreamRun(control: PoolControl | null, { upstreamFailuresInARow }: GuardLimits): number | null {
  if (control === null || control.upstream.failures < upstreamFailuresInARow) return null;
  return control.upstream.lastAtMs;
}

function exhausted(pool: ServedPool, facts: GuardFacts, { hourlyGasPerPoolFri, hourlyGasInAllFri }: GuardLimits): PoolVerdict | null {
  const isOwn = ({ key }: { readonly key: string }): boolean => subjectOf(key) === pool.address;
  const ofPool = freeAt(facts, isOwn, hourlyGasPerPoolFri);
  if (ofPool !== null) return { kind: 'exhausted', scope: 'pool', untilMs: ofPool };
  const inAll = freeAt(facts, () => true, hourlyGasInAllFri);
  return inAll === null ? null : { kind: 'exhausted', scope: 'all', untilMs: inAll };
}

/** How long to wait when only live attempts stand in the way: about as long as they take. */
const LIVE_MS = 30_000;

/** When enough of the last hour's spending has left the window; null while the budget is not used up. */
function freeAt(
  { entries, live, nowMs }: GuardFacts,
  counts: (entry: { readonly key: string }) => boolean,
  budgetFri: bigint,
): number | null {
  const spent = entries.filter((entry) => entry.endedAtMs > nowMs - BUDGET_WINDOW_MS && counts(entry));
  let left = sum(spent.map(({ gasPaidFri }) => gasPaidFri)) + sum(live.filter(counts).map(({ costFri }) => costFri ?? 0n));
  if (left < budgetFri) return null;
  for (const { gasPaidFri, endedAtMs } of spent) {
    left -= gasPaidFri;
    if (left < budgetFri) return endedAtMs + BUDGET_WINDOW_MS;
  }
  return nowMs + LIVE_MS;
}
